package io.fieldstone.cli;

import java.io.PrintStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Tells somebody who waits how far the work has come: bytes done, rate, time left. */
sealed interface Progress extends LongConsumer, AutoCloseable {

  /** Says that {@code bytes} are done so far. Safe for use by several threads. */
  @Override
  void accept(long bytes);

  /** Removes the bar, so that results stand alone. */
  @Override
  void close();

  /** Tells how many of some steps are done, and which one begins. */
  interface Steps extends AutoCloseable {
    void begin(String what, int done, int total);

    @Override
    void close();
  }

  /** Shows nothing. */
  static Steps silentSteps() {
    return new Steps() {
      @Override
      public void begin(String what, int done, int total) {}

      @Override
      public void close() {}
    };
  }

  /** A bar over steps on a terminal. */
  static Steps stepBar(String task, PrintStream terminal) {
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setStyle(ProgressBarStyle.UNICODE_BLOCK)
            .setConsumer(new ConsoleProgressBarConsumer(terminal, Bar.WIDTH))
            .clearDisplayOnFinish()
            .build();
    return new Steps() {
      @Override
      public void begin(String what, int done, int total) {
        bar.maxHint(total);
        bar.stepTo(done);
        bar.setExtraMessage(what);
      }

      @Override
      public void close() {
        bar.close();
      }
    };
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
}
