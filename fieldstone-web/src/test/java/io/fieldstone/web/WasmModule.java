package io.fieldstone.web;

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
 * The module of WebAssembly of the C kernels, committed so that a clone needs no C compiler: its
 * inputs, and how to build it.
 *
 * <p>{@code galois.wasm.origin} holds the SHA-256 of the inputs (the flags, the sources and their
 * headers), the SHA-256 of the module, and the version of the compiler. {@code mvn -N -Pnative
 * validate} runs {@link #main}, which rebuilds an outdated one; {@code WasmModuleTest} fails if it
 * is outdated.
 */
final class WasmModule {
  private static final Path SOURCES = Path.of("src/main/c");
  private static final Path FILE = Path.of("src/main/resources/io/fieldstone/web/lib/galois.wasm");

  private final Path module;

  /**
   * @param module the directory of fieldstone-web
   */
  WasmModule(Path module) {
    this.module = module;
  }

  /** Rebuilds an outdated module. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    WasmModule wasm = new WasmModule(Path.of(arguments[0]));
    if (wasm.problem().isPresent()) {
      Path compiler = compiler().orElseThrow(() -> new IOException("no clang in the PATH"));
      wasm.link(compiler, wasm.file());
      Files.write(wasm.origin(), List.of(wasm.sourcesLine(), wasm.objectLine(), version(compiler)));
      System.out.println(wasm.file() + ": " + Files.size(wasm.file()) + " bytes");
    }
  }

  /** Returns the committed module. */
  Path file() {
    return module.resolve(FILE);
  }

  private Path origin() {
    return file().resolveSibling("galois.wasm.origin");
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

  /** Returns the version of the compiler of the committed file. */
  String compilerVersion() throws IOException {
    return Files.readAllLines(origin()).get(2);
  }

  private String sourcesLine() throws IOException {
    try (Stream<Path> files = Files.list(module.resolve(SOURCES))) {
      return "sources " + sha256(files.sorted().toList());
    }
  }

  private String objectLine() throws IOException {
    return "object " + sha256(List.of(file()));
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

  /** Finds a compiler for WebAssembly in the PATH. */
  static Optional<Path> compiler() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(directory -> Path.of(directory, "clang"))
        .filter(Files::isExecutable)
        .filter(clang -> Files.isExecutable(clang.resolveSibling("wasm-ld")))
        .findFirst();
  }

  /** Returns the first line of the description of a compiler. */
  static String version(Path compiler) throws IOException, InterruptedException {
    return run(new ProcessBuilder(compiler.toString(), "--version")).lines().findFirst().get();
  }

  /** Makes a module; the same compiler makes the same bytes of the same sources. */
  void link(Path compiler, Path output) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(compiler.toString()));
    for (String line : Files.readAllLines(module.resolve(SOURCES).resolve("wasm.flags"))) {
      command.addAll(List.of(line.split(" ")));
    }
    command.addAll(List.of("-o", output.toAbsolutePath().toString()));
    try (Stream<Path> files = Files.list(module.resolve(SOURCES))) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".c"))
          .sorted()
          .forEach(command::add);
    }
    String _ = run(new ProcessBuilder(command).directory(module.resolve(SOURCES).toFile()));
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
