import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes a jar a named module: compiles {@code src/main/module/module-info.java} against it and adds
 * the result. The jar is then the same with Maven on any JDK. Maven's own plugins cannot, because
 * they read class files with the JDK that runs Maven, which may be 17. Does nothing for a project
 * without that file.
 *
 * <p>Arguments: the directory of the project, its jar, the time of the entries in ISO format, and
 * jars that it needs, of which absent ones are left out.
 */
final class ModuleInfo {

  private static final Pattern JDK_LINE = Pattern.compile("(?m)^Build-(Tool-)?Jdk-Spec: .*\\R");

  private ModuleInfo() {}

  public static void main(String[] arguments) throws IOException {
    Path source = Path.of(arguments[0], "src", "main", "module", "module-info.java");
    Path jar = Path.of(arguments[1]);
    if (!Files.exists(source)) {
      return;
    }
    List<String> needed = new ArrayList<>();
    for (int i = 3; i < arguments.length; i++) {
      if (Files.exists(Path.of(arguments[i])) && !Path.of(arguments[i]).equals(jar)) {
        needed.add(arguments[i]);
      }
    }
    String name = nameOf(source);
    Path classes = Files.createDirectories(Path.of(arguments[0], "target", "module"));
    run(
        "javac",
        "-d",
        classes.toString(),
        "-Xlint:all,-requires-automatic,-incubating",
        "--module-path",
        String.join(File.pathSeparator, needed),
        "--patch-module",
        name + "=" + jar,
        source.toString());
    run(
        "jar",
        "--update",
        "--file",
        jar.toString(),
        "--date",
        arguments[2],
        "-C",
        classes.toString(),
        "module-info.class");
    dropJdks(jar);
    // The jar plugin packs the Javadoc of a project without packages.
    Path javadoc = Path.of(arguments[1].replaceFirst("\\.jar$", "-javadoc.jar"));
    if (Files.exists(javadoc)) {
      dropJdks(javadoc);
    }
  }

  /**
   * Removes the versions of JDKs from the manifest. One is that of Maven's JDK, and the others must
   * make the same bytes.
   */
  private static void dropJdks(Path jar) throws IOException {
    Path written = Path.of(jar + ".tmp");
    try (ZipFile from = new ZipFile(jar.toFile());
        ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(written))) {
      for (ZipEntry entry : Collections.list(from.entries())) {
        byte[] bytes = from.getInputStream(entry).readAllBytes();
        if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
          String manifest = new String(bytes, StandardCharsets.UTF_8);
          bytes = JDK_LINE.matcher(manifest).replaceAll("").getBytes(StandardCharsets.UTF_8);
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        to.putNextEntry(copy);
        to.write(bytes);
        to.closeEntry();
      }
    }
    Files.move(written, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String nameOf(Path source) throws IOException {
    for (String line : Files.readAllLines(source)) {
      if (line.startsWith("module ")) {
        return line.split(" ")[1];
      }
    }
    throw new IOException("no line begins with 'module': " + source);
  }

  private static void run(String tool, String... arguments) {
    int status =
        ToolProvider.findFirst(tool)
            .orElseThrow(() -> new IllegalStateException("this JDK has no " + tool))
            .run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), arguments);
    if (status != 0) {
      System.exit(status);
    }
  }
}
