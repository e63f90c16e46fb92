import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs a fuzz target with Jazzer, for {@code mvn -N -Pfuzz validate}. It starts from the corpus in
 * the test resources and from the inputs that earlier runs saved in {@code target/fuzz/TARGET}.
 */
final class Fuzz {

  private static final List<String> MODULES =
      List.of(
          "fieldstone-engine",
          "fieldstone-stream",
          "fieldstone-coding",
          "fieldstone-files",
          "fieldstone-crc",
          "fieldstone-codes",
          "fieldstone-sort",
          "fieldstone-relays",
          "fieldstone-hybrid",
          "fieldstone-net",
          "fieldstone-live",
          "fieldstone-cli");

  private Fuzz() {}

  /** Takes the root of the repository, the target's class, the number of inputs and the seconds. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path root = Path.of(args[0]);
    String target = args[1];
    String name = target.substring(target.lastIndexOf('.') + 1);
    Path found = Files.createDirectories(root.resolve("target/fuzz").resolve(name));
    List<String> classPath = new ArrayList<>();
    for (String module : MODULES) {
      classPath.add(root.resolve(module).resolve("target/classes").toString());
      classPath.add(root.resolve(module).resolve("target/test-classes").toString());
    }
    classPath.add(root.resolve("fieldstone-cli/target/app/lib/*").toString());
    classPath.add(root.resolve("target/fuzz/lib/*").toString());
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("--add-modules=jdk.incubator.vector", "-Xmx1g", "-cp"));
    command.add(String.join(System.getProperty("path.separator"), classPath));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + target);
    command.add("--instrumentation_includes=io.fieldstone.**");
    command.addAll(List.of("-runs=" + args[2], "-max_total_time=" + args[3], "-timeout=20"));
    command.add(found.toString());
    command.addAll(corpora(root, name));
    System.exit(
        new ProcessBuilder(command).directory(found.toFile()).inheritIO().start().waitFor());
  }

  private static List<String> corpora(Path root, String name) {
    return MODULES.stream()
        .map(module -> root.resolve(module).resolve("src/test/resources/fuzz").resolve(name))
        .filter(Files::isDirectory)
        .map(Path::toString)
        .collect(Collectors.toList());
  }
}
