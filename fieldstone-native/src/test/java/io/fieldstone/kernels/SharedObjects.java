package io.fieldstone.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The shared objects of the C kernels, one per platform, committed so that a clone needs no C
 * compiler: their inputs, and how to build them.
 *
 * <p>{@code libfieldstone.so.origin} holds the SHA-256 of the inputs (the flags, the sources and
 * their headers), the SHA-256 of the shared object, and the version of the compiler. {@code mvn -N
 * -Pnative validate} runs {@link #main}, which rebuilds outdated ones; {@code SharedObjectsTest}
 * fails if there is one.
 */
final class SharedObjects {
  private static final Path SOURCES = Path.of("src/main/c");
  private static final Path FLAGS = SOURCES.resolve("cc.flags");
  private static final Path RESOURCES = Path.of("src/main/resources/META-INF/fieldstone");

  private final Path module;

  /**
   * @param module the directory of fieldstone-native
   */
  SharedObjects(Path module) {
    this.module = module;
  }

  /** Rebuilds outdated shared objects. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    for (SharedObject object : new SharedObjects(Path.of(arguments[0])).list()) {
      if (object.problem().isPresent()) {
        Compiler compiler =
            object
                .compiler()
                .orElseThrow(() -> new IOException("no " + object.compilerName() + " in the PATH"));
        Files.createDirectories(object.file().getParent());
        compiler.link(object, object.file());
        object.writeOrigin(compiler.version());
        System.out.println(object.file() + ": " + Files.size(object.file()) + " bytes");
      }
    }
  }

  /** Returns the shared object of each platform. */
  List<SharedObject> list() {
    return List.of(
        new SharedObject("linux-x86_64", "x86_64-linux-gnu-gcc"),
        new SharedObject("linux-aarch64", "aarch64-linux-gnu-gcc"));
  }

  /** Returns the platforms of the committed shared objects. */
  List<String> kept() throws IOException {
    try (Stream<Path> directories = Files.list(module.resolve(RESOURCES))) {
      return directories.map(directory -> directory.getFileName().toString()).toList();
    }
  }

  /** Returns the options of the compiler. */
  List<String> flags() throws IOException {
    return Files.readAllLines(module.resolve(FLAGS)).stream()
        .flatMap(line -> Stream.of(line.split(" ")))
        .toList();
  }

  /** Returns the names of the C files, in the order in which they are linked. */
  List<String> sources() throws IOException {
    try (Stream<Path> files = Files.list(module.resolve(SOURCES))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".c"))
          .sorted()
          .toList();
    }
  }

  private String sourcesDigest() throws IOException {
    try (Stream<Path> files = Files.list(module.resolve(SOURCES))) {
      return sha256(files.sorted().toList());
    }
  }

  private static String sha256(Iterable<Path> files) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files) {
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException missing) {
      throw new AssertionError("every Java platform has SHA-256", missing);
    }
  }

  /** The shared object of a platform. */
  final class SharedObject {
    private final String platform;
    private final String compilerName;

    private SharedObject(String platform, String compilerName) {
      this.platform = platform;
      this.compilerName = compilerName;
    }

    private SharedObjects owner() {
      return SharedObjects.this;
    }

    String platform() {
      return platform;
    }

    Path file() {
      return module.resolve(RESOURCES).resolve(platform, "libfieldstone.so");
    }

    private Path origin() {
      return file().resolveSibling("libfieldstone.so.origin");
    }

    String compilerName() {
      return compilerName;
    }

    /** Returns the defect of the committed file, if any. */
    Optional<String> problem() throws IOException {
      if (!Files.exists(file()) || !Files.exists(origin())) {
        return Optional.of(file() + " is missing");
      }
      List<String> lines = Files.readAllLines(origin());
      if (!lines.get(0).equals(sourcesLine())) {
        return Optional.of(file() + " is not of its sources");
      }
      if (!lines.get(1).equals(objectLine())) {
        return Optional.of(file() + " is not what " + origin().getFileName() + " says");
      }
      return Optional.empty();
    }

    /** Returns the compiler version of the committed file. */
    String compilerVersion() throws IOException {
      return Files.readAllLines(origin()).get(2);
    }

    private void writeOrigin(String compilerVersion) throws IOException {
      Files.write(origin(), List.of(sourcesLine(), objectLine(), compilerVersion));
    }

    private String sourcesLine() throws IOException {
      return "sources " + sourcesDigest();
    }

    private String objectLine() throws IOException {
      return "object " + sha256(List.of(file()));
    }

    /** Finds the compiler in the PATH. */
    Optional<Compiler> compiler() throws IOException, InterruptedException {
      for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
        Path program = Path.of(directory, compilerName);
        if (Files.isExecutable(program)) {
          String version =
              run(new ProcessBuilder(program.toString(), "--version")).lines().findFirst().get();
          return Optional.of(new Compiler(program, version));
        }
      }
      return Optional.empty();
    }

    @Override
    public String toString() {
      return platform;
    }
  }

  /**
   * A C compiler for a platform.
   *
   * @param program the executable
   * @param version the first line of its description
   */
  record Compiler(Path program, String version) {

    /** Makes a shared object; the same compiler makes the same bytes of the same sources. */
    void link(SharedObject object, Path output) throws IOException, InterruptedException {
      SharedObjects objects = object.owner();
      List<String> command = new ArrayList<>(List.of(program.toString()));
      command.addAll(objects.flags());
      command.addAll(List.of("-o", output.toAbsolutePath().toString()));
      command.addAll(objects.sources());
      run(new ProcessBuilder(command).directory(objects.module.resolve(SOURCES).toFile()));
    }
  }

  private static String run(ProcessBuilder command) throws IOException, InterruptedException {
    Process process = command.redirectErrorStream(true).start();
    try (InputStream words = process.getInputStream()) {
      String output = new String(words.readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command.command()) + ":\n" + output);
      }
      return output;
    }
  }
}
