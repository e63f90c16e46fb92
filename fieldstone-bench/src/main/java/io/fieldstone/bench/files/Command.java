package io.fieldstone.bench.files;

import io.fieldstone.bench.measure.Processes;
import io.fieldstone.cli.console.PhaseCsv;
import io.fieldstone.engine.memory.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A command on files, run by the launcher as a user runs it.
 *
 * @param processes starts the command, and stops it if this process ends
 * @param name the name in tables
 * @param words returns the launcher, the command and its arguments, before each run
 * @param output the file or folder that the command writes, if it does not only print
 */
record Command(
    Processes processes, String name, Supplier<List<String>> words, Optional<Path> output) {

  /** The track of the start and the end of the process. */
  private static final String PROCESS = "process";

  private static final String THREAD_PREFIX = "fieldstone-";

  /** Returns the name for files: lower-case letters, digits and hyphens. */
  String fileName() {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  /**
   * Runs the command to its end, and returns when each stage ran on each thread. The first phase
   * lasts from the start of the process to the first stage, the last one from the last stage to the
   * end.
   *
   * @param file where the command writes its phases
   * @throws IllegalStateException if it fails
   * @throws CancellationException if it is stopped, because this process ends
   */
  List<Phase> timeline(Path file) {
    long begin = PhaseCsv.now();
    run(List.of("--timeline", file.toString()));
    long end = PhaseCsv.now();
    List<Phase> phases = new ArrayList<>();
    try {
      PhaseCsv.parse(Files.readString(file)).forEach(phase -> phases.add(withShortTrack(phase)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long first = phases.stream().mapToLong(Phase::startNs).min().orElse(end);
    long last = phases.stream().mapToLong(Phase::endNs).max().orElse(first);
    phases.addFirst(new Phase(PROCESS, "start", Math.min(begin, first), first, 0));
    phases.addLast(new Phase(PROCESS, "end", last, Math.max(last, end), 0));
    return phases;
  }

  private static Phase withShortTrack(Phase phase) {
    String track = phase.track();
    return new Phase(
        track.startsWith(THREAD_PREFIX) ? track.substring(THREAD_PREFIX.length()) : track,
        phase.name(),
        phase.startNs(),
        phase.endNs(),
        phase.bytes());
  }

  private void run(List<String> options) {
    List<String> all = words.get();
    List<String> command = new ArrayList<>(all);
    command.addAll(options);
    try {
      Process process =
          processes.start(
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile())));
      // On a thread of its own, because an interrupt does not end the reading of a pipe.
      FutureTask<byte[]> printed = new FutureTask<>(() -> process.getInputStream().readAllBytes());
      Thread.ofVirtual().start(printed);
      int status = awaitEnd(process);
      if (status != 0) {
        requireNotStopped();
        throw new IllegalStateException(
            "'%s' failed: %s"
                .formatted(
                    String.join(" ", all),
                    new String(printed.get(), StandardCharsets.UTF_8).strip()));
      }
    } catch (IOException e) {
      requireNotStopped();
      throw new UncheckedIOException(e);
    } catch (ExecutionException e) {
      requireNotStopped();
      throw new IllegalStateException("'%s' printed what cannot be read".formatted(all), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    }
  }

  private static int awaitEnd(Process process) throws InterruptedException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Processes.kill(process);
      throw e;
    }
  }

  private void requireNotStopped() {
    if (processes.isClosed()) {
      throw new CancellationException("the processes are stopped");
    }
  }

  /** Returns the bytes of the files that the last run wrote. */
  long writtenBytes() throws IOException {
    long bytes = 0;
    for (Path file : outputs()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** Returns the files that the last run wrote; none if it did not run. */
  List<Path> outputs() {
    if (output.isEmpty() || Files.notExists(output.get())) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(output.get())) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
