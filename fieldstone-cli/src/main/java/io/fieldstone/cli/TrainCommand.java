package io.fieldstone.cli;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import io.fieldstone.stream.file.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

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

  private static final long SEED = 1;

  @Override
  public Integer call() throws IOException, Failure {
    Path directory = Files.createTempDirectory("fieldstone-train-");
    try {
      train(directory);
    } finally {
      Folders.delete(directory);
    }
    return ExitCode.OK;
  }

  private static void train(Path directory) throws IOException, Failure {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(SEED).nextBytes(bytes);
    String file = Files.write(directory.resolve("file"), bytes).toString();
    String shards = directory.resolve("shards").toString();
    String copy = directory.resolve("copy").toString();
    run("--version");
    run("crc", file);
    run("crc", "-a", "CRC-64/XZ", file, file);
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

  private static String[] command(String name, List<String> files, String... options) {
    List<String> words = new ArrayList<>(List.of(name));
    words.addAll(files);
    words.addAll(List.of(options));
    return words.toArray(String[]::new);
  }

  private static void run(String... words) throws Failure {
    Streams streams =
        new Streams(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            System.err,
            Tty.NONE);
    int status = Main.run(streams, words);
    if (status != ExitCode.OK) {
      throw new Failure("training failed", String.join(" ", words));
    }
  }

  private static List<String> list(String directory) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(directory))) {
      return files.sorted().map(Path::toString).toList();
    }
  }
}
