package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Session;
import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Prints a line a second about live packets: an object with {@code --json}, else text, unless
 * {@code --quiet} is given. Text that did not change is not printed again.
 */
final class LiveLines implements AutoCloseable {

  /** A record that {@code --json} prints, and its text. */
  interface Line {
    String text();
  }

  /** Returns how many packets there were, and in how many parts if there were more. */
  static String packets(long packets, long parts) {
    return packets == parts
        ? "%d packets".formatted(packets)
        : "%d packets in %d parts".formatted(packets, parts);
  }

  private final Session session;
  private final boolean isDataOnStandardOutput;
  private final Supplier<? extends Line> lines;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("fieldstone-lines").factory());
  private String last = "";
  private volatile boolean hasFailed;

  private LiveLines(
      Session session, boolean isDataOnStandardOutput, Supplier<? extends Line> lines) {
    this.session = session;
    this.isDataOnStandardOutput = isDataOnStandardOutput;
    this.lines = lines;
  }

  /**
   * Begins to print.
   *
   * @param isDataOnStandardOutput whether lines go to standard error, because standard output has
   *     the data
   */
  static LiveLines start(
      Session session, boolean isDataOnStandardOutput, Supplier<? extends Line> lines) {
    LiveLines started = new LiveLines(session, isDataOnStandardOutput, lines);
    ScheduledFuture<?> _ =
        started.timer.scheduleAtFixedRate(started::printNow, 1, 1, TimeUnit.SECONDS);
    return started;
  }

  /** Returns true if the lines cannot be written any more. */
  boolean hasFailed() {
    return hasFailed;
  }

  /** Prints a line. */
  synchronized void printNow() {
    Line line = lines.get();
    if (session.isJson()) {
      session.json().orElseThrow().writeLine(line);
      session.streams().out().flush();
    } else if (!session.isQuiet() && !line.text().equals(last)) {
      last = line.text();
      PrintStream out = isDataOnStandardOutput ? session.streams().err() : session.streams().out();
      out.println(last);
      out.flush();
    }
    hasFailed |= session.streams().out().checkError();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
