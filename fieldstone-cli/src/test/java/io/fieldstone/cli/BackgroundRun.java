package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.console.Tty;
import io.fieldstone.stream.Threads;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A command in a thread, which its interruption stops as a signal does. */
final class BackgroundRun implements AutoCloseable {

  private static final long MAX_NANOS = 60_000_000_000L;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicInteger status = new AtomicInteger(-1);
  private final Thread thread;

  private BackgroundRun(InputStream in, String... words) {
    Streams streams =
        new Streams(
            in,
            out,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Tty.NONE);
    thread = Thread.ofPlatform().start(() -> status.set(Main.run(streams, words)));
  }

  /** Starts a command with empty standard input. */
  static BackgroundRun start(String... words) {
    return new BackgroundRun(InputStream.nullInputStream(), words);
  }

  /** Starts a command with a standard input. */
  static BackgroundRun reading(InputStream in, String... words) {
    return new BackgroundRun(in, words);
  }

  /** Waits until a condition holds, for a minute at most. */
  static void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("nanoseconds waited").isLessThan(MAX_NANOS);
      LockSupport.parkNanos(1_000_000);
    }
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Returns the whole lines of standard output so far. */
  List<String> lines() {
    String text = out.toString(StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Waits for a line of standard output, and returns it. */
  String awaitLine(Predicate<String> wanted) {
    await(() -> {
      assertThat(thread.isAlive() || lines().stream().anyMatch(wanted)).as(this::err).isTrue();
      return lines().stream().anyMatch(wanted);
    });
    return lines().stream().filter(wanted).findFirst().orElseThrow();
  }

  /** Waits for the first line, which is that of {@code --json}. */
  JsonNode ready() {
    return JsonMapper.shared().readTree(awaitLine(_ -> true));
  }

  /** Returns the lines so far as objects. */
  List<JsonNode> objects() {
    return lines().stream().map(line -> JsonMapper.shared().readTree(line)).toList();
  }

  /** Waits for the end, and returns the exit status. */
  int awaitEnd() {
    await(() -> !thread.isAlive());
    Threads.join(thread);
    return status.get();
  }

  @Override
  public void close() {
    thread.interrupt();
    Threads.join(thread);
  }
}
