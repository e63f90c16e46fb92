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

/** Tells somebody who waits how far the work has come: bytes done, rate, time left. */
public sealed interface Progress extends LongConsumer, AutoCloseable {

  /** Says that {@code bytes} are done so far. Safe for use by several threads. */
  @Override
  void accept(long bytes);

  /** Removes the bar, so that results stand alone. */
  @Override
  void close();

  /** Tells how many of some steps are done, and which one begins. */
  interface Steps extends AutoCloseable {
    void begin(String what, int done, int total);

    /** Prints something, perhaps to the same terminal. */
    void aside(Runnable print);

    @Override
    void close();
  }

  /** Shows nothing. */
  static Steps silentSteps() {
    return new Steps() {
      @Override
      public void begin(String what, int done, int total) {}

      @Override
      public void aside(Runnable print) {
        print.run();
      }

      @Override
      public void close() {}
    };
  }

  /** A bar over steps on a terminal. */
  static Steps stepBar(String task, PrintStream terminal) {
    return new StepBar(task, terminal);
  }

  /** Shows nothing. */
  static Progress silent() {
    return new Silent();
  }

  /** A bar on a terminal; for a total that is not known, −1, it only counts. */
  static Progress bar(String task, long totalBytes, PrintStream terminal) {
    return new Bar(task, totalBytes, terminal);
  }

  /** Shows nothing. */
  record Silent() implements Progress {
    @Override
    public void accept(long bytes) {}

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
    public void close() {
      bar.close();
    }
  }

  /** A bar over steps, which makes way for what is printed and comes again with the next step. */
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
    public void begin(String what, int done, int total) {
      if (shown.isEmpty()) {
        shown = Optional.of(open(done, total));
      }
      ProgressBar bar = shown.get();
      bar.maxHint(total);
      bar.stepTo(done);
      bar.setExtraMessage(what);
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
    public void aside(Runnable print) {
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
