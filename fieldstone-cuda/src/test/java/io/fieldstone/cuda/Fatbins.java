package io.fieldstone.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The kernels' fatbins, one per .cu file, committed so that a clone needs no nvcc: their inputs,
 * and how to build them.
 *
 * <p>{@code NAME.fatbin.origin} holds the SHA-256 of the inputs (the flags, {@code NAME.cu} and its
 * headers), the SHA-256 of the fatbin, and the nvcc version. {@code mvn -N -Pkernels validate} runs
 * {@link #main}, which rebuilds outdated fatbins; {@code FatbinsTest} fails if there is one.
 */
public final class Fatbins {
  private static final Pattern INCLUDE = Pattern.compile("^\\s*#include \"(.+)\"");

  private final Path module;
  private final Path headers;

  /**
   * @param module the directory of the module
   * @param headers the directory of the headers and of the flags, in fieldstone-cuda
   */
  public Fatbins(Path module, Path headers) {
    this.module = module;
    this.headers = headers;
  }

  /** Rebuilds the outdated fatbins of modules; the first one has the headers. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path headers = Path.of(arguments[0], "src/main/cuda");
    Nvcc nvcc =
        Nvcc.find()
            .orElseThrow(() -> new IOException("no nvcc in the PATH or /usr/local/cuda/bin"));
    for (String module : arguments) {
      for (Fatbin fatbin : new Fatbins(Path.of(module), headers).list()) {
        if (fatbin.problem().isPresent()) {
          Files.createDirectories(fatbin.file().getParent());
          nvcc.compile(fatbin, fatbin.flags(""), fatbin.file());
          fatbin.writeOrigin(nvcc.version());
          System.out.println(fatbin.file() + ": " + Files.size(fatbin.file()) + " bytes");
        }
      }
    }
  }

  /** Returns one fatbin per .cu file of the library and of its tests. */
  public List<Fatbin> list() throws IOException {
    List<Fatbin> list = new ArrayList<>();
    for (String tree : new String[] {"src/main", "src/test"}) {
      for (Path source : files(module.resolve(tree, "cuda"), ".cu")) {
        String name = source.getFileName().toString().replaceFirst("\\.cu$", ".fatbin");
        list.add(new Fatbin(source, module.resolve(tree, "resources/io/fieldstone/cuda", name)));
      }
    }
    return list;
  }

  /** Returns the committed fatbins, with or without a source. */
  public List<Path> kept() throws IOException {
    List<Path> kept = new ArrayList<>();
    for (String tree : new String[] {"src/main", "src/test"}) {
      kept.addAll(files(module.resolve(tree, "resources/io/fieldstone/cuda"), ".fatbin"));
    }
    return kept;
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
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

  /** A .cu file and its committed fatbin. */
  public final class Fatbin {
    private final Path source;
    private final Path file;

    private Fatbin(Path source, Path file) {
      this.source = source;
      this.file = file;
    }

    private Path headers() {
      return headers.toAbsolutePath();
    }

    Path source() {
      return source;
    }

    Path file() {
      return file;
    }

    private Path nvccFlags() {
      return headers.resolve("nvcc.flags");
    }

    /**
     * Returns the options of nvcc.
     *
     * @param target for GPUs whose {@code -gencode} has this in it; of all when it is empty
     */
    List<String> flags(String target) throws IOException {
      return Files.readAllLines(nvccFlags()).stream()
          .filter(line -> !line.startsWith("-gencode") || line.contains(target))
          .flatMap(line -> Stream.of(line.split(" ")))
          .toList();
    }

    /** Returns the defect of the committed fatbin, if any. */
    Optional<String> problem() throws IOException {
      if (!Files.exists(file) || !Files.exists(origin())) {
        return Optional.of(file + " is missing");
      }
      List<String> lines = Files.readAllLines(origin());
      if (!lines.get(0).equals(sourcesLine())) {
        return Optional.of(file + " is not of its sources");
      }
      if (!lines.get(1).equals(fatbinLine())) {
        return Optional.of(file + " is not what " + origin().getFileName() + " says");
      }
      return Optional.empty();
    }

    /** Returns the nvcc version of the committed fatbin. */
    String nvccVersion() throws IOException {
      return Files.readAllLines(origin()).get(2);
    }

    /** Returns the inputs except nvcc: the flags, the source and its headers. */
    private String sourcesDigest() throws IOException {
      SequencedSet<Path> parts = new LinkedHashSet<>(List.of(nvccFlags()));
      addWithHeaders(source, parts);
      return sha256(parts);
    }

    private void addWithHeaders(Path file, SequencedSet<Path> parts) throws IOException {
      if (parts.add(file)) {
        for (String line : Files.readAllLines(file)) {
          Matcher include = INCLUDE.matcher(line);
          if (include.find()) {
            addWithHeaders(headers.resolve(include.group(1)), parts);
          }
        }
      }
    }

    private void writeOrigin(String nvccVersion) throws IOException {
      Files.write(origin(), List.of(sourcesLine(), fatbinLine(), nvccVersion));
    }

    private Path origin() {
      return file.resolveSibling(file.getFileName() + ".origin");
    }

    private String sourcesLine() throws IOException {
      return "sources " + sourcesDigest();
    }

    private String fatbinLine() throws IOException {
      return "fatbin " + sha256(List.of(file));
    }

    @Override
    public String toString() {
      return source.getFileName().toString();
    }
  }

  /**
   * The compiler.
   *
   * @param program the executable
   * @param version the line of its output with the version
   */
  record Nvcc(Path program, String version) {

    /** Finds nvcc in the PATH or the default location. */
    static Optional<Nvcc> find() throws IOException, InterruptedException {
      List<String> directories =
          new ArrayList<>(List.of(System.getenv().getOrDefault("PATH", "").split(":")));
      directories.add("/usr/local/cuda/bin");
      for (String directory : directories) {
        Path program = Path.of(directory, "nvcc");
        if (Files.isExecutable(program)) {
          String version =
              run(new ProcessBuilder(program.toString(), "--version"))
                  .lines()
                  .filter(line -> line.contains("release"))
                  .findFirst()
                  .orElseThrow(() -> new IOException(program + " does not say its version"));
          return Optional.of(new Nvcc(program, version));
        }
      }
      return Optional.empty();
    }

    /**
     * Compiles a source; the same nvcc makes the same bytes of the same source, wherever it is.
     *
     * @param flags of {@link Fatbin#flags}
     */
    void compile(Fatbin fatbin, List<String> flags, Path output)
        throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of(program.toString(), "-fatbin"));
      command.addAll(flags);
      command.addAll(List.of("--threads", "0", "-I", fatbin.headers().toString()));
      command.addAll(List.of("-o", output.toAbsolutePath().toString()));
      command.add(fatbin.source().getFileName().toString());
      run(new ProcessBuilder(command).directory(fatbin.source().getParent().toFile()));
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
}
