package io.fieldstone.bench.files;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Processes;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.ThreadTeam;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Gantt;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.stream.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures whole commands, started as a user starts them, against reading and copying the same file
 * by threads of this process, in the same run. The last run of each command gives its timeline.
 */
final class FileCommands {

  /** The number of comparisons. */
  static final int STEPS = 1;

  /** The number of shards of {@code encode}, and of those that {@code decode} lacks. */
  private static final int SHARDS = 16;

  private static final int LOST = 5;

  /** The minimum memory of a sort in runs. */
  private static final long MIN_SORT_BYTES = 16 << 20;

  /** The quotient of the file and the memory of a sort in runs. */
  private static final int RUNS = 4;

  /** The comparisons before the commands: two of reading, and three of copying. */
  private static final int YARDSTICKS = 5;

  /** The first of them that copies. */
  private static final int COPIES = 2;

  private static final double NS_PER_SECOND = 1e9;

  private final Run run;
  private final Processes processes;
  private final Path launcher;
  private final Path directory;
  private final Path source;
  private final long bytes;

  /**
   * Prepares measurements.
   *
   * @param processes starts the commands
   * @param launcher the script that starts the command
   * @param directory an existing directory for outputs
   * @param source the file, a whole number of 32-bit keys
   */
  FileCommands(Run run, Processes processes, Path launcher, Path directory, Path source)
      throws IOException {
    this.run = run;
    this.processes = processes;
    this.launcher = launcher;
    this.directory = directory;
    this.source = source;
    this.bytes = Files.size(source);
  }

  /** Measures all commands, and publishes their table and their timelines. */
  void measure() throws IOException {
    List<Command> commands = commands();
    Map<Command, List<Phase>> timelines = new HashMap<>();
    List<Measurement> results;
    FileSystemRates rates = new FileSystemRates(source, bytes);
    try (ThreadTeam one = new ThreadTeam(1);
        ThreadTeam all = new ThreadTeam(run.options().threads())) {
      List<Candidate> candidates = new ArrayList<>();
      candidates.add(new Candidate("read, 1 thread", bytes, rates.reading(one)));
      candidates.add(new Candidate("read, all threads", bytes, rates.reading(all)));
      Runnable copying = rates.copying(all, path("command-copied"));
      copying.run(); // copies replace an existing file
      candidates.add(new Candidate("copy, all threads", bytes, copying));
      Path copy = path("command-new");
      candidates.add(
          new Candidate(
              "copy to a new file, all threads",
              bytes,
              Optional.of(() -> delete(List.of(copy))),
              rates.copying(all, copy)));
      candidates.add(
          new Candidate(
              "copy to new files, all threads",
              bytes,
              Optional.of(() -> delete(rates.parts(all, copy))),
              rates.copyingToParts(all, copy)));
      for (Command command : commands) {
        candidates.add(
            new Candidate(
                command.name(),
                bytes,
                Optional.of(() -> delete(command.outputs())),
                () -> timelines.put(command, command.timeline(path("command-timeline")))));
      }
      results =
          run.measureInRounds("commands on a file of %d MiB".formatted(bytes >> 20), candidates);
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      Command command = commands.get(i);
      rows.add(
          new Row(
              command,
              results.get(YARDSTICKS + i),
              command.writtenBytes(),
              timelines.getOrDefault(command, List.of())));
    }
    run.publish(table(results.subList(0, YARDSTICKS), rows));
    rows.forEach(row -> run.publish(chart(row)));
  }

  /** Deletes files where there are some: it takes long, and is no part of writing new ones. */
  private static void delete(List<Path> files) {
    try {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path path(String name) {
    return directory.resolve(name);
  }

  /** Returns the commands in the order of the table: those that write shards precede others. */
  private List<Command> commands() {
    Path shards = path("command-shards");
    Path dense = path("command-dense");
    Path decoded = path("command-decoded");
    Path sorted = path("command-sorted");
    String file = source.toString();
    String memory = Long.toString(Math.max(MIN_SORT_BYTES, bytes / RUNS));
    return List.of(
        command("crc", Optional.empty(), "crc", file),
        command("crc -a CRC-64/XZ", Optional.empty(), "crc", "-a", "CRC-64/XZ", file),
        command("encode, any 11 of 16", Optional.of(shards), "encode", file),
        command("encode, dense", Optional.of(dense), "encode", file, "--code", "dense"),
        onShards("recode", path("command-recoded"), "recode", shards, 0),
        onShards("decode, none lost", decoded, "decode", shards, 0),
        onShards("decode, 5 lost", decoded, "decode", shards, LOST),
        onShards("decode, dense", decoded, "decode", dense, LOST),
        command("sort u32", Optional.of(sorted), "sort", file, "--type", "u32"),
        command(
            "sort u32 in runs",
            Optional.of(sorted),
            "sort",
            file,
            "--type",
            "u32",
            "--memory",
            memory));
  }

  private Command onShards(String name, Path output, String command, Path shards, int lost) {
    return command(
        name,
        Optional.of(output),
        () -> {
          List<String> words = new ArrayList<>(List.of(command));
          try (Stream<Path> all = Files.list(shards)) {
            all.sorted().skip(lost).limit(SHARDS).map(Path::toString).forEach(words::add);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return words;
        });
  }

  private Command command(String name, Optional<Path> output, String... words) {
    return command(name, output, () -> List.of(words));
  }

  private Command command(String name, Optional<Path> output, Supplier<List<String>> words) {
    return new Command(processes, name, () -> line(words.get(), output), output);
  }

  /** Returns the whole line of a command from its name and arguments. */
  private List<String> line(List<String> words, Optional<Path> output) {
    List<String> all = new ArrayList<>(List.of(launcher.toString()));
    all.addAll(words);
    output.ifPresent(path -> all.addAll(List.of("-o", path.toString())));
    if (output.isPresent() && !words.getFirst().equals("sort")) {
      all.add("--force");
    }
    BenchOptions options = run.options();
    all.addAll(List.of("--quiet", "--engine", options.engine()));
    all.addAll(List.of("--threads", Integer.toString(options.threads())));
    return all;
  }

  private Table table(List<Measurement> yardsticks, List<Row> rows) {
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
            "bytes written, of the copy",
            "of that to a new file",
            "of that to new files",
            "stages, s busy");
    for (int i = 0; i < YARDSTICKS; i++) {
      Measurement one = yardsticks.get(i);
      table.row(cells(one, yardsticks, i < COPIES ? 0 : bytes, Cell.empty()));
    }
    for (Row row : rows) {
      table.row(cells(row.measured(), yardsticks, row.writtenBytes(), Cell.of(row.stages())));
    }
    return table
        .note("Commands are whole processes, with the start of the JVM.")
        .note(
            "Reading and copying: threads of this process read and write ranges of the file by"
                + " position, 4 MiB at a time. The copy is to an existing file, whose pages exist;"
                + " to a new file, whose writers Linux lets in one at a time; and to a new file of"
                + " each thread. All are forced to the disk, as by 'dd bs=4M conv=notrunc,fsync'"
                + " for each thread.")
        .note("Bytes written, of the copy: those of the command a second, by those of the copy.")
        .note("Commands write new files: those of an earlier run are deleted before.")
        .note(
            "Stages: sums over the threads, in the last run. The process starts until the first"
                + " stage, and ends after the last.")
        .build();
  }

  /**
   * Returns the cells of a row.
   *
   * @param written the bytes that it writes, or 0
   */
  private List<Cell> cells(
      Measurement one, List<Measurement> yardsticks, long written, Cell stages) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(one.name()));
    cells.add(Cell.of(one.bestNanos() / NS_PER_SECOND));
    cells.add(Cell.of(one.bestMillions()));
    yardsticks.subList(0, COPIES).forEach(read -> cells.add(Cell.of(one.timesFasterThan(read))));
    for (Measurement copy : yardsticks.subList(COPIES, YARDSTICKS)) {
      double ratio = one.timesFasterThan(copy) * written / bytes;
      cells.add(written == 0 ? Cell.empty() : Cell.of(ratio));
    }
    cells.add(stages);
    return cells;
  }

  private Gantt chart(Row row) {
    String title =
        "%s: %d MiB, %d threads"
            .formatted(row.command().name(), bytes >> 20, run.options().threads());
    return new Gantt("timeline-" + row.command().fileName(), title, row.phases());
  }

  /**
   * A measured command.
   *
   * @param writtenBytes the bytes of its outputs
   * @param phases the phases of the last run
   */
  private record Row(Command command, Measurement measured, long writtenBytes, List<Phase> phases) {

    /** Returns the busy seconds of each stage. */
    String stages() {
      Timeline timeline = new Timeline();
      phases.forEach(timeline::onPhase);
      return timeline.profile().stream()
          .map(stage -> String.format(Locale.ROOT, "%s %.2f", stage.name(), stage.busySeconds()))
          .collect(Collectors.joining(", "));
    }
  }
}
