package io.fieldstone.cli.console;

import java.util.Locale;

/** Formats numbers with units. Sizes are binary (KiB), rates decimal (MB/s). */
public final class Units {

  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final String[] DECIMAL = {"", " k", " M", " G", " T", " P"};
  private static final double SECONDS_PER_HOUR = 3600;
  private static final double SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MAX_TWO_DECIMALS = 9.995;
  private static final double MAX_ONE_DECIMAL = 99.95;

  /** The least number that one decimal does not round to 0.0. */
  private static final double MIN_ONE_DECIMAL = 0.05;

  private Units() {}

  /** Formats a size: {@code 512 B}, {@code 4.0 KiB}, {@code 1.5 GiB}. */
  public static String bytes(long count) {
    if (count < 1024) {
      return count + " B";
    }
    double scaled = count;
    int unit = 0;
    while (scaled >= 1023.95 && unit < BINARY.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return "%.1f %s".formatted(scaled, BINARY[unit]);
  }

  /** Formats a part of a size in the unit of the whole: {@code 43.0 of 95.4 MiB}. */
  public static String part(long count, long total) {
    return "%s of %s".formatted(numberIn(total, count), bytes(total));
  }

  /** Formats a size in the unit of another one: {@code 0.5 MiB} in that of 95.4 MiB. */
  public static String like(long other, long count) {
    return numberIn(other, count) + bytes(other).substring(bytes(other).indexOf(' '));
  }

  /**
   * Formats the number of a size in the unit of another one: {@code 0.5} in that of 95.4 MiB, and
   * {@code < 0.1} if it is less, but not 0.
   */
  public static String numberIn(long other, long count) {
    String whole = bytes(other);
    String unit = whole.substring(whole.indexOf(' ') + 1);
    double scaled = count;
    for (int i = 0; !BINARY[i].equals(unit); i++) {
      scaled /= 1024;
    }
    if (unit.equals("B")) {
      return Long.toString(count);
    }
    return count > 0 && scaled < MIN_ONE_DECIMAL ? "< 0.1" : "%.1f".formatted(scaled);
  }

  /** Formats bytes over a time as {@code 843 MB/s}, or {@code -} if either is zero. */
  public static String rate(long bytes, long nanos) {
    double megabytes = megabytes(bytes, nanos);
    return bytes == 0 || nanos <= 0
        ? "-"
        : megabytes < 1
            ? significant(1000 * megabytes) + " kB/s"
            : significant(megabytes) + " MB/s";
  }

  /** Returns the rate in megabytes (10^6 bytes) per second. */
  public static double megabytes(long bytes, long nanos) {
    return nanos <= 0 ? 0 : bytes / 1e6 / (nanos / NANOS_PER_SECOND);
  }

  /** Formats multiply-accumulates over a time as {@code 61.3 G GF-MAC/s}. */
  public static String macRate(double macs, long nanos) {
    return macs <= 0 || nanos <= 0 ? "-" : significant(macs / nanos) + " G GF-MAC/s";
  }

  /** Formats a number with a decimal prefix: {@code 512}, {@code 61.3 G}. */
  public static String scaled(double value) {
    double scaled = value;
    int prefix = 0;
    while (scaled >= 999.5 && prefix < DECIMAL.length - 1) {
      scaled /= 1000;
      prefix++;
    }
    return value == Math.rint(value) && prefix == 0
        ? plain(value)
        : significant(scaled) + DECIMAL[prefix];
  }

  /** Formats a duration: {@code 0.42 s}, {@code 12.3 s}, {@code 3 min 07 s}, {@code 31.4 h}. */
  public static String duration(long nanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    if (seconds >= SECONDS_PER_DAY) {
      return significant(seconds / SECONDS_PER_HOUR) + " h";
    }
    if (seconds < 60) {
      return significant(seconds) + " s";
    }
    long whole = Math.round(seconds);
    return "%d min %02d s".formatted(whole / 60, whole % 60);
  }

  /** Formats an integer with separators: {@code 12,345}. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Formats a fraction in per cent, without the sign: {@code 4.2}. */
  public static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f", 100 * fraction);
  }

  /**
   * Formats at least three significant digits: {@code 3.14}, {@code 31.4}, {@code 314}, {@code
   * 31,416}.
   */
  public static String significant(double value) {
    String format = value < MAX_TWO_DECIMALS ? "%.2f" : value < MAX_ONE_DECIMAL ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Formats a number, without {@code .0} if it is an integer. */
  public static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
