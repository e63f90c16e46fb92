package io.fieldstone.cli;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import io.fieldstone.stream.file.Folders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/**
 * Runs {@code fieldstone train}, which is not for users: runs the other commands on small files of
 * its own. The launchers record this run for the JVM's ahead-of-time cache, which then has the
 * classes that these commands load.
 */
@Command(name = TrainCommand.NAME, hidden = true, description = "Run commands on small files.")
final class TrainCommand implements Callable<Integer> {

  /** The name of the command. */
  static final String NAME = "train";

  /** Bytes of the file: a whole number of records, and several generations. */
  private static final int FILE_BYTES = 1_000_000;

  /** The number of files whose bytes together are divided by native kernels. */
  private static final int NATIVE_CRC_FILES = 8;

  /** Messages of two lengths with their CRC-16/MODBUS, one of them wrong. */
  private static final String SAMPLES =
      """
      1103789b34ca b882
      1103f54f2e22 d8f8
      11030acd941e 3bb1
      110371b88d58 b8e9
      110336866d0d858b63 5b45
      1103549e94be2cacc6 aa60
      """;

  private static final long SEED = 1;

  /** The caches: the launchers choose one by the name of the command. */
  private enum Cache {
    FILES,
    NETWORK
  }

  @Parameters(paramLabel = "CACHE", description = "${COMPLETION-CANDIDATES}.")
  private Cache cache = Cache.FILES;

  @Override
  public Integer call() throws IOException, Failure {
    Path directory = Files.createTempDirectory("fieldstone-train-");
    byte[] bytes = new byte[FILE_BYTES];
    new Random(SEED).nextBytes(bytes);
    try {
      String file = Files.write(directory.resolve("file"), bytes).toString();
      switch (cache) {
        case FILES -> trainFiles(directory, file);
        case NETWORK -> trainNetwork(directory, file);
      }
    } finally {
      Folders.delete(directory);
    }
    return ExitCode.OK;
  }

  private static void trainFiles(Path directory, String file) throws IOException, Failure {
    String shards = directory.resolve("shards").toString();
    String copy = directory.resolve("copy").toString();
    run("--version");
    run("--help");
    run("crc", file);
    run(command("crc", Collections.nCopies(NATIVE_CRC_FILES, file), "-a", "CRC-64/XZ"));
    Path samples = Files.writeString(directory.resolve("samples"), SAMPLES);
    run("crc", "--find", samples.toString());
    run("encode", file, "-o", shards);
    List<String> all = list(shards);
    run(command("inspect", all));
    run(command("decode", all, "-o", copy));
    run(command("decode", all.subList(5, all.size()), "-o", copy, "--force"));
    run("encode", file, "-o", shards, "--code", "dense", "--force");
    run(command("decode", all.subList(5, all.size()), "-o", copy, "--force"));
    String parity = directory.resolve("parity").toString();
    run("protect", file, "-o", parity);
    run("verify", parity);
    try (RandomAccessFile damaged = new RandomAccessFile(file, "rw")) {
      damaged.write(0);
    }
    run("repair", parity);
    run("sort", file, "-o", directory.resolve("sorted").toString(), "--type", "u32");
    run("weights", "hamming:4");
  }

  /** Fetches the file from a server, and from a relay of it. */
  private static void trainNetwork(Path directory, String file) throws Failure {
    String copy = directory.resolve("fetched").toString();
    String state = directory.resolve("client").toString();
    try (Listener server = Listener.start(directory.resolve("server"), "serve", file);
        Listener relay =
            Listener.start(directory.resolve("relay"), "relay", "--from", server.address)) {
      for (Listener source : List.of(server, relay)) {
        run("fetch", "--list", "--from", source.address, "--state", state);
        run("fetch", "file", "--from", source.address, "-o", copy, "--state", state);
      }
    }
  }

  private static String[] command(String name, List<String> files, String... options) {
    List<String> words = new ArrayList<>(List.of(name));
    words.addAll(files);
    words.addAll(List.of(options));
    return words.toArray(String[]::new);
  }

  private static void run(String... words) throws Failure {
    int status = run(OutputStream.nullOutputStream(), words);
    if (status != ExitCode.OK) {
      throw new Failure("training failed", String.join(" ", words));
    }
  }

  private static int run(OutputStream out, String... words) {
    Streams streams =
        new Streams(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            System.err,
            Tty.NONE);
    return Main.run(streams, words);
  }

  private static List<String> list(String directory) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(directory))) {
      return files.sorted().map(Path::toString).toList();
    }
  }

  /** A command that serves on loopback, on a thread of its own, until it is closed. */
  private record Listener(ExecutorService thread, String address) implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:\\d+");

    /** Starts a command, and waits until it is ready. */
    static Listener start(Path state, String... words) throws Failure {
      List<String> all = new ArrayList<>(List.of(words));
      all.addAll(List.of("--listen", "127.0.0.1:0", "--state", state.toString()));
      CompletableFuture<String> ready = new CompletableFuture<>();
      OutputStream out =
          new ByteArrayOutputStream() {
            @Override
            public void flush() {
              ready.complete(toString(StandardCharsets.UTF_8));
            }
          };
      ExecutorService thread = Executors.newSingleThreadExecutor();
      thread.execute(() -> {
        run(out, all.toArray(String[]::new));
        ready.complete("");
      });
      Matcher address = ADDRESS.matcher(ready.join());
      if (!address.find()) {
        thread.close();
        throw new Failure("training failed", String.join(" ", all));
      }
      return new Listener(thread, address.group());
    }

    @Override
    public void close() {
      thread.shutdownNow();
      thread.close();
    }
  }
}
