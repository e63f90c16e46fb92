package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.bench.measure.Processes;
import io.fieldstone.bench.measure.WorkFolder;
import io.fieldstone.bench.net.hosts.Tools;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stops the processes of a benchmark, however it ends. */
@Execution(ExecutionMode.CONCURRENT)
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessesTest {

  private static final int THREADS = 8;
  private static final int STARTED_BEFORE_CLOSE = 20;

  /** The time within which killed processes end; the others run much longer. */
  private static final long END_SECONDS = 20;

  @TempDir Path directory;

  private static ProcessBuilder sleep() {
    return new ProcessBuilder("sleep", "60");
  }

  /** Makes a command that has a child; both hold a FIFO open. */
  private static ProcessBuilder parent(String fifo) {
    String script = "exec >\"$0\"; sleep 60 & echo started; wait";
    return new ProcessBuilder("sh", "-c", script, fifo);
  }

  private String fifo() throws IOException, InterruptedException {
    String fifo = directory.resolve("fifo").toString();
    assertThat(new ProcessBuilder("mkfifo", fifo).start().waitFor()).isZero();
    return fifo;
  }

  /** Waits until no process holds the FIFO open. */
  private static void awaitEnd(BufferedReader fifo) {
    FutureTask<@Nullable String> end = new FutureTask<>(fifo::readLine);
    Thread.ofPlatform().daemon().start(end);
    assertThat(end).succeedsWithin(Duration.ofSeconds(END_SECONDS)).isNull();
  }

  @Test
  void closingStopsProcessesAndTheirChildren() throws Exception {
    String fifo = fifo();
    Processes processes = new Processes();
    Process process = processes.start(parent(fifo));
    try (BufferedReader lines = Files.newBufferedReader(Path.of(fifo))) {
      assertThat(lines.readLine()).isEqualTo("started");
      assertThat(processes.isClosed()).isFalse();

      processes.close();

      assertThat(processes.isClosed()).isTrue();
      assertThat(process.isAlive()).isFalse();
      awaitEnd(lines);
    }
  }

  @Test
  void aLateStartIsRefused() throws IOException {
    Processes processes = new Processes();
    processes.start(sleep());
    processes.close();
    assertThatThrownBy(() -> processes.start(sleep())).isInstanceOf(CancellationException.class);
  }

  @Test
  void allOfConcurrentStartsAreStopped() throws Exception {
    Queue<Process> all = new ConcurrentLinkedQueue<>();
    CountDownLatch some = new CountDownLatch(STARTED_BEFORE_CLOSE);
    Processes processes = new Processes();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(
            threads.submit(() -> {
              while (true) {
                all.add(processes.start(sleep()));
                some.countDown();
              }
            }));
      }
      some.await();
      processes.close();
      for (Future<?> end : ends) {
        assertThatThrownBy(end::get).hasCauseInstanceOf(CancellationException.class);
      }
      assertThat(all).hasSizeGreaterThanOrEqualTo(STARTED_BEFORE_CLOSE);
      assertThat(all).noneMatch(Process::isAlive);
    } finally {
      all.forEach(Process::destroyForcibly);
    }
  }

  /** A benchmark that is never closed: prints its folder, and starts a process that has a child. */
  static final class Unclosed {
    private Unclosed() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      System.out.println(WorkFolder.temporary().path());
      new Processes().start(parent(args[0])).waitFor();
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  @Test
  void theEndOfTheJvmStopsProcessesAndDeletesTheFolder() throws Exception {
    String fifo = fifo();
    Process jvm =
        new ProcessBuilder(Tools.java(Unclosed.class, fifo))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = Files.newBufferedReader(Path.of(fifo));
        BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("started");
      Path folder = Path.of(output.readLine());
      Files.write(folder.resolve("file"), new byte[10]);

      jvm.toHandle().destroy();

      assertThat(jvm.waitFor()).isEqualTo(143);
      awaitEnd(lines);
      assertThat(folder).doesNotExist();
    } finally {
      jvm.destroyForcibly();
    }
  }
}
