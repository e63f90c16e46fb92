package io.fieldstone.cli.console;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarRenderer;

/** Shows the progress of a job: bytes processed, rate and remaining time. */
public sealed interface Progress extends LongConsumer, AutoCloseable {

  /** Sets the number of bytes processed so far. Safe for use by several threads. */
  @Override
  void accept(long bytes);

  /** Shows a short text behind the numbers. */
  void note(String text);

  /** Removes the bar from the terminal. */
  @Override
  void close();

  /** Shows the progress of a job in steps. */
  interface Steps extends AutoCloseable {
    /**
     * Shows that a step begins, after {@code done} of {@code total} steps.
     *
     * @param step its name, or the remaining time; if it is empty, the bar estimates the time
     */
    void begin(String step, int done, int total);

    /** Prints to a stream that may be the same terminal, without disturbing the bar. */
    void interleave(Runnable print);

    @Override
    void close();
  }

  /** Returns an instance that shows no bar. */
  static Steps silentSteps() {
    return new Steps() {
      @Override
      public void begin(String step, int done, int total) {}

      @Override
      public void interleave(Runnable print) {
        print.run();
      }

      @Override
      public void close() {}
    };
  }

  /** Returns a bar over steps on a terminal. */
  static Steps stepBar(String task, PrintStream terminal) {
    return new StepBar(task, terminal);
  }

  /** Returns an instance that shows no bar. */
  static Progress silent() {
    return new Silent();
  }

  /** Returns a bar on a terminal; with an unknown total, −1, it only counts bytes. */
  static Progress bar(String task, long totalBytes, PrintStream terminal) {
    return new Bar(task, totalBytes, terminal);
  }

  /** Shows no bar. */
  record Silent() implements Progress {
    @Override
    public void accept(long bytes) {}

    @Override
    public void note(String text) {}

    @Override
    public void close() {}
  }

  /** A bar on a terminal. */
  final class Bar implements Progress {
    private static final int UPDATE_MILLIS = 200;

    private final Line line;
    private final ProgressBar bar;

    private Bar(String task, long totalBytes, PrintStream terminal) {
      ProgressLine text = new ProgressLine(task);
      line = new Line(terminal);
      bar =
          builder(
                  line,
                  (state, width) ->
                      text.ofBytes(
                          state.getCurrent(),
                          totalBytes,
                          state.getElapsedAfterStart().toNanos(),
                          state.getExtraMessage(),
                          width))
              .setInitialMax(totalBytes)
              .build();
    }

    private static ProgressBarBuilder builder(Line line, ProgressBarRenderer renderer) {
      return new ProgressBarBuilder()
          .setUpdateIntervalMillis(UPDATE_MILLIS)
          .setConsumer(line)
          .setRenderer(renderer);
    }

    @Override
    public void accept(long bytes) {
      bar.stepTo(bytes);
    }

    @Override
    public void note(String text) {
      bar.setExtraMessage(text);
    }

    @Override
    public void close() {
      bar.close();
      line.clear();
    }
  }

  /** The last line of a terminal. */
  final class Line extends ConsoleProgressBarConsumer {
    private static final int MAX_WIDTH = 79;

    private final PrintStream terminal;

    private Line(PrintStream terminal) {
      super(terminal);
      this.terminal = terminal;
    }

    @Override
    public int getMaxRenderedLength() {
      return Math.min(MAX_WIDTH, Tty.columns() - 1);
    }

    @Override
    public void clear() {
      terminal.print("\r" + " ".repeat(getMaxRenderedLength()) + "\r");
    }

    /** Begins no new line, since the bar is removed. */
    @Override
    public void close() {}
  }

  /** A bar over steps, which is removed for other output and shown again at the next step. */
  final class StepBar implements Steps {
    private final ProgressLine text;
    private final Line line;
    private final Instant start = Instant.now();
    private Optional<ProgressBar> shown = Optional.empty();

    private StepBar(String task, PrintStream terminal) {
      this.text = new ProgressLine(task);
      this.line = new Line(terminal);
    }

    @Override
    public void begin(String step, int done, int total) {
      if (shown.isEmpty()) {
        shown = Optional.of(open(done, total));
      }
      ProgressBar bar = shown.get();
      bar.maxHint(total);
      bar.stepTo(done);
      bar.setExtraMessage(step);
    }

    private ProgressBar open(int done, int total) {
      return Bar.builder(
              line,
              (state, width) ->
                  text.ofSteps(
                      state.getCurrent(),
                      state.getMax(),
                      state.getTotalElapsed().toNanos(),
                      state.getExtraMessage(),
                      width))
          .setInitialMax(total)
          .startsFrom(done, Duration.between(start, Instant.now()))
          .build();
    }

    @Override
    public void interleave(Runnable print) {
      close();
      print.run();
    }

    @Override
    public void close() {
      shown.ifPresent(bar -> {
        bar.close();
        line.clear();
      });
      shown = Optional.empty();
    }
  }
}
