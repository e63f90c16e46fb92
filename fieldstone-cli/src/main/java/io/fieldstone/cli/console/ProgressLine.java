package io.fieldstone.cli.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Formats the line of a progress bar. The remaining time follows from the rate of the last seconds,
 * once it is steady: the first ones are slower, because the JVM compiles the loops meanwhile.
 */
final class ProgressLine {

  /** The time over which the rate is measured. */
  private static final long WINDOW_NS = 5_000_000_000L;

  /** The time before the first estimate of the remaining time. */
  private static final long MIN_ESTIMATE_NS = 2_000_000_000L;

  /** The maximum ratio of the rates in the halves of that time for an estimate. */
  private static final double MAX_ACCELERATION = 2;

  private static final int MIN_BAR_WIDTH = 3;

  /** The eighths of a character cell. */
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  private record Sample(long nanos, long done) {}

  private final String task;
  private final Deque<Sample> samples = new ArrayDeque<>();

  ProgressLine(String task) {
    this.task = task;
  }

  /**
   * Formats the progress of a file: its bytes in one unit, the rate and the remaining time.
   *
   * @param total the bytes of the file; less than 0 if they are unknown
   * @param nanos the time since the start
   * @param note a text behind the numbers
   * @param width the maximum length of the line
   */
  String ofBytes(long done, long total, long nanos, String note, int width) {
    Sample first = sample(done, nanos);
    String facts =
        (total < 0 ? Units.bytes(done) : Units.part(done, total))
            + ", "
            + Units.rate(done - first.done(), nanos - first.nanos())
            + left(done, total, nanos)
            + (note.isEmpty() ? "" : ", " + note);
    return line(done, total, facts, width);
  }

  /**
   * Formats the progress of steps.
   *
   * @param step the name of the current step; if it is empty, steps are alike, and the line has an
   *     estimate of the remaining time
   */
  String ofSteps(long done, long total, long nanos, String step, int width) {
    sample(done, nanos);
    String facts =
        "%d of %d, %d s%s"
            .formatted(
                done,
                total,
                nanos / 1_000_000_000,
                step.isEmpty() ? left(done, total, nanos) : ", " + step);
    return line(done, total, facts, width);
  }

  /** Adds a sample and returns the first of those that the rate is measured from. */
  private Sample sample(long done, long nanos) {
    while (samples.size() > 1 && nanos - samples.getFirst().nanos() > WINDOW_NS) {
      samples.removeFirst();
    }
    samples.addLast(new Sample(nanos, done));
    return samples.getFirst();
  }

  private String left(long done, long total, long nanos) {
    OptionalLong left = leftNanos(done, total, nanos);
    if (left.isEmpty()) {
      return "";
    }
    long seconds = Math.round(left.getAsLong() / 1e9);
    return ", %s left".formatted(seconds < 60 ? seconds + " s" : Units.duration(left.getAsLong()));
  }

  /** Returns the remaining time; empty if the rate is unknown, or still increases. */
  private OptionalLong leftNanos(long done, long total, long nanos) {
    Sample first = samples.getFirst();
    Sample last = samples.getLast();
    long half = (first.nanos() + last.nanos()) / 2;
    Sample middle =
        samples.stream()
            .filter(each -> each.nanos() <= half)
            .reduce((_, each) -> each)
            .orElse(first);
    double rate = rate(middle, last);
    boolean isSteady = rate <= MAX_ACCELERATION * rate(first, middle);
    return nanos < MIN_ESTIMATE_NS || rate <= 0 || !isSteady || total < done
        ? OptionalLong.empty()
        : OptionalLong.of((long) ((total - done) / rate));
  }

  /** Returns the units done per nanosecond between two samples. */
  private static double rate(Sample from, Sample to) {
    return to.nanos() <= from.nanos()
        ? 0
        : (double) (to.done() - from.done()) / (to.nanos() - from.nanos());
  }

  private String line(long done, long total, String facts, int width) {
    if (total < 0) {
      String start = task + "  ";
      return cut(start + fitting(facts, width - start.length()), width);
    }
    double part = total == 0 ? 1 : (double) Math.min(done, total) / total;
    int percent = total == 0 ? 100 : (int) (100.0 * Math.min(done, total) / total);
    String start = "%s %3d%% ".formatted(task, percent);
    String shown = fitting(facts, width - start.length());
    int barWidth = width - start.length() - shown.length() - "││ ".length();
    String bar = barWidth < MIN_BAR_WIDTH ? "" : "│" + bar(part, barWidth) + "│ ";
    return cut(start + bar + shown, width);
  }

  /** Leaves out the last facts if all are too long. */
  private static String fitting(String facts, int width) {
    String shown = facts;
    while (shown.length() > width && shown.contains(", ")) {
      shown = shown.substring(0, shown.lastIndexOf(", "));
    }
    return shown;
  }

  private static String bar(double part, int width) {
    int eighths = (int) (part * width * EIGHTHS.length());
    int whole = eighths / EIGHTHS.length();
    String filled = "█".repeat(whole);
    return whole == width
        ? filled
        : filled + EIGHTHS.charAt(eighths % EIGHTHS.length()) + " ".repeat(width - whole - 1);
  }

  private static String cut(String line, int width) {
    return line.length() <= width ? line : line.substring(0, width);
  }
}
