package io.fieldstone.bench;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.ThreadTeam;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures whole commands, started as a user starts them, against reading and copying the same file
 * by threads of this process, in the same run.
 */
final class FileCommands {

  /** The buffer of reading and copying, as of {@code dd bs=4M}. */
  private static final int BUFFER_BYTES = 4 << 20;

  /** The number of shards of {@code encode}, and of those that {@code decode} lacks. */
  private static final int SHARDS = 16;

  private static final int LOST = 5;

  private static final long TIMEOUT_MINUTES = 60;

  /** A stage in the output of {@code --verbose}. */
  private static final Pattern STAGE =
      Pattern.compile("fieldstone: stage (\\S+) +busy +([0-9.]+) s, .*");

  private final Run run;
  private final Path launcher;
  private final Path directory;
  private final Path source;
  private final long bytes;

  /** The stages of the last run of each command. */
  private final Map<String, String> stages = new HashMap<>();

  /**
   * Prepares measurements.
   *
   * @param launcher the script that starts the command
   * @param directory an existing directory for outputs
   * @param source the file, a whole number of 32-bit keys
   */
  FileCommands(Run run, Path launcher, Path directory, Path source) throws IOException {
    this.run = run;
    this.launcher = launcher;
    this.directory = directory;
    this.source = source;
    this.bytes = Files.size(source);
  }

  /** Measures all commands, and publishes their table. */
  void measure() throws IOException {
    int threads = run.options().threads();
    Path shards = directory.resolve("command-shards");
    Path dense = directory.resolve("command-dense");
    String file = source.toString();
    start("encode", file, "-o", shards.toString());
    start("encode", file, "-o", dense.toString(), "--code", "dense");
    String copy = directory.resolve("command-decoded").toString();
    try (ThreadTeam one = new ThreadTeam(1);
        ThreadTeam all = new ThreadTeam(threads)) {
      List<Candidate> candidates = new ArrayList<>();
      candidates.add(new Candidate("read, 1 thread", bytes, reading(one)));
      candidates.add(new Candidate("read, all threads", bytes, reading(all)));
      candidates.add(new Candidate("copy, all threads", bytes, copying(all)));
      candidates.add(command("crc", "crc", file));
      candidates.add(command("crc -a CRC-64/XZ", "crc", "-a", "CRC-64/XZ", file));
      candidates.add(
          command("encode, any 11 of 16", "encode", file, "-o", shards.toString(), "--force"));
      candidates.add(
          command(
              "encode, dense",
              "encode",
              file,
              "-o",
              dense.toString(),
              "--code",
              "dense",
              "--force"));
      candidates.add(command("decode, none lost", decode(shards, 0, copy)));
      candidates.add(command("decode, 5 lost", decode(shards, LOST, copy)));
      candidates.add(command("decode, dense", decode(dense, LOST, copy)));
      candidates.add(
          command(
              "sort u32",
              "sort",
              file,
              "--type",
              "u32",
              "-o",
              directory.resolve("command-sorted").toString()));
      publish(run.measure("commands on a file of %d MiB".formatted(bytes >> 20), candidates));
    }
  }

  private void publish(List<Measurement> results) {
    Table.Builder table =
        Table.named(
            "commands",
            "Whole commands on a file of %,d bytes, MB/s of the file, %d threads"
                .formatted(bytes, run.options().threads()),
            "command",
            "s",
            "MB/s",
            "of one thread that reads",
            "of all threads that read",
            "of all threads that copy",
            "stages, s busy");
    for (Measurement result : results) {
      table.row(
          Cell.of(result.name()),
          Cell.of(result.bestNanos() / 1e9),
          Cell.of(result.bestMillions()),
          Cell.of(result.timesFasterThan(results.get(0))),
          Cell.of(result.timesFasterThan(results.get(1))),
          Cell.of(result.timesFasterThan(results.get(2))),
          stages.containsKey(result.name()) ? Cell.of(stages.get(result.name())) : Cell.empty());
    }
    run.publish(
        table
            .note("Commands are whole processes, with the start of the JVM.")
            .note(
                "Reading and copying: threads of this process read and write ranges of the file by"
                    + " position, 4 MiB at a time; copies replace an existing file.")
            .note("Encoding writes 1.5 bytes for each byte of the file.")
            .build());
  }

  private Candidate command(String name, String... words) {
    return new Candidate(name, bytes, () -> stages.put(name, start(words)));
  }

  private String[] decode(Path shards, int lost, String copy) throws IOException {
    List<String> words = new ArrayList<>(List.of("decode", "-o", copy, "--force"));
    try (Stream<Path> all = Files.list(shards)) {
      all.sorted().skip(lost).limit(SHARDS).map(Path::toString).forEach(words::add);
    }
    return words.toArray(String[]::new);
  }

  /** Runs a command to its end; returns its stages. */
  private String start(String... words) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(words));
    command.addAll(
        List.of(
            "--verbose",
            "--quiet",
            "--engine",
            run.options().engine(),
            "--threads",
            Integer.toString(run.options().threads())));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      try {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
          throw new IllegalStateException(
              "'%s' failed: %s".formatted(String.join(" ", words), output.strip()));
        }
        return stages(output);
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns the busy seconds of each stage in an output. */
  static String stages(String output) {
    List<String> found = new ArrayList<>();
    for (String line : output.split("\n", -1)) {
      Matcher stage = STAGE.matcher(line);
      if (stage.matches()) {
        found.add(stage.group(1) + " " + stage.group(2));
      }
    }
    return String.join(", ", found);
  }

  /** A range of the file as one thread reads it. */
  private interface Range {
    void work(ByteBuffer buffer, long position) throws IOException;
  }

  private Runnable reading(ThreadTeam team) {
    return team.onAll(thread -> {
      try (FileChannel from = FileChannel.open(source)) {
        eachBuffer(team, thread, from, (_, _) -> {});
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private Runnable copying(ThreadTeam team) {
    Path target = directory.resolve("command-copied");
    return team.onAll(thread -> {
      try (FileChannel from = FileChannel.open(source);
          FileChannel to =
              FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        eachBuffer(
            team,
            thread,
            from,
            (buffer, position) -> {
              for (long at = position; buffer.hasRemaining(); ) {
                at += to.write(buffer, at);
              }
            });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  /** Reads the buffers of one thread: each thread takes one of as many as there are threads. */
  private void eachBuffer(ThreadTeam team, int thread, FileChannel from, Range range)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    long step = (long) BUFFER_BYTES * team.threads();
    for (long position = (long) thread * BUFFER_BYTES; position < bytes; position += step) {
      buffer.clear();
      for (long at = position; buffer.hasRemaining(); ) {
        int read = from.read(buffer, at);
        if (read < 0) {
          break;
        }
        at += read;
      }
      range.work(buffer.flip(), position);
    }
  }
}
