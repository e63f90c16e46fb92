package io.fieldstone.cli.console;

import java.io.PrintStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

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
    /** Shows that a step begins, after {@code done} of {@code total} steps. */
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
    private static final int WIDTH = 79;
    private static final long MEGABYTE = 1_000_000;

    private final ProgressBar bar;

    private Bar(String task, long totalBytes, PrintStream terminal) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(totalBytes)
              .setUnit(" MB", MEGABYTE)
              .setStyle(ProgressBarStyle.UNICODE_BLOCK)
              .setUpdateIntervalMillis(UPDATE_MILLIS)
              .setConsumer(new ConsoleProgressBarConsumer(terminal, WIDTH))
              .showSpeed(new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
              .clearDisplayOnFinish()
              .build();
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
    }
  }

  /** A bar over steps, which is removed for other output and shown again at the next step. */
  final class StepBar implements Steps {
    private final String task;
    private final PrintStream terminal;
    private final Instant start = Instant.now();
    private Optional<ProgressBar> shown = Optional.empty();

    private StepBar(String task, PrintStream terminal) {
      this.task = task;
      this.terminal = terminal;
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
      return new ProgressBarBuilder()
          .setTaskName(task)
          .setInitialMax(total)
          .startsFrom(done, Duration.between(start, Instant.now()))
          .setStyle(ProgressBarStyle.UNICODE_BLOCK)
          .setConsumer(new ConsoleProgressBarConsumer(terminal, Bar.WIDTH))
          .clearDisplayOnFinish()
          .build();
    }

    @Override
    public void interleave(Runnable print) {
      close();
      print.run();
    }

    @Override
    public void close() {
      shown.ifPresent(ProgressBar::close);
      shown = Optional.empty();
    }
  }
}
