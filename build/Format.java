import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Runs google-java-format over every Java file of the repository: {@code Format check ROOT} lists
 * unformatted files on stderr and in target/formatter/unformatted, whose existence fails the build;
 * {@code Format write ROOT} formats it. Files that have not changed since a run that found all
 * formatted are left out: that run leaves target/formatter/formatted, which tells its begin.
 */
final class Format {
  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean check = args[0].equals("check");
    Path root = Path.of(args[1]);
    FileTime begin = FileTime.from(Instant.now());
    Path stamp = root.resolve("target/formatter/formatted");
    FileTime since = since(root, stamp);
    List<String> options =
        check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace");
    List<String> arguments = new ArrayList<>(options);
    try (Stream<Path> tree = Files.walk(root)) {
      tree.filter(path -> isSource(root.relativize(path)))
          .filter(path -> modified(path).compareTo(since) >= 0)
          .map(Path::toString)
          .sorted()
          .forEach(arguments::add);
    }
    var unformatted = new StringWriter();
    boolean hasFiles = arguments.size() > options.size();
    int status = hasFiles ? format(arguments, unformatted) : 0;
    Path report = root.resolve("target/formatter/unformatted");
    Files.deleteIfExists(report);
    if (status == 0) {
      Files.write(stamp, List.of());
      Files.setLastModifiedTime(stamp, begin);
    }
    if (!check || status == 0) {
      System.exit(status);
    }
    List<String> files = unformatted.toString().lines().toList();
    for (String file : files) {
      System.err.println("not formatted: " + root.relativize(Path.of(file)));
    }
    Files.write(report, files);
  }

  private static int format(List<String> arguments, StringWriter unformatted) {
    return ToolProvider.findFirst("google-java-format")
        .orElseThrow()
        .run(
            new PrintWriter(unformatted),
            new PrintWriter(System.err, true),
            arguments.toArray(String[]::new));
  }

  /** Returns the begin of the last run that left all formatted, with the same formatter. */
  private static FileTime since(Path root, Path stamp) {
    boolean isValid =
        Files.exists(stamp)
            && modified(root.resolve("pom.xml")).compareTo(modified(stamp)) < 0
            && modified(root.resolve("build/Format.java")).compareTo(modified(stamp)) < 0;
    return isValid ? modified(stamp) : FileTime.fromMillis(0);
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(Path path) {
    String name = path.toString();
    return name.endsWith(".java")
        && (name.contains("src/") || name.startsWith("build/"))
        && !name.contains("target/");
  }
}
