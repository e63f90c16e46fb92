import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Runs google-java-format over every Java file of the repository: {@code Format check ROOT} lists
 * unformatted files on stderr and in target/formatter/unformatted, whose existence fails the build;
 * {@code Format write ROOT} formats it.
 */
final class Format {
  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean check = args[0].equals("check");
    Path root = Path.of(args[1]);
    List<String> arguments =
        new ArrayList<>(
            check ? List.of("--dry-run", "--set-exit-if-changed") : List.of("--replace"));
    try (Stream<Path> tree = Files.walk(root)) {
      tree.filter(path -> isSource(root.relativize(path)))
          .map(Path::toString)
          .sorted()
          .forEach(arguments::add);
    }
    var unformatted = new StringWriter();
    int status =
        ToolProvider.findFirst("google-java-format")
            .orElseThrow()
            .run(
                new PrintWriter(unformatted),
                new PrintWriter(System.err, true),
                arguments.toArray(String[]::new));
    Path report = root.resolve("target/formatter/unformatted");
    Files.deleteIfExists(report);
    if (!check || status == 0) {
      System.exit(status);
    }
    List<String> files = unformatted.toString().lines().toList();
    for (String file : files) {
      System.err.println("not formatted: " + root.relativize(Path.of(file)));
    }
    Files.write(report, files);
  }

  private static boolean isSource(Path path) {
    String name = path.toString();
    return name.endsWith(".java")
        && (name.contains("src/") || name.startsWith("build/"))
        && !name.contains("target/");
  }
}
