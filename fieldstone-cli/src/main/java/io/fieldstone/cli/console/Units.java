package io.fieldstone.cli.console;

import java.util.Locale;

/** Numbers as people read them. Sizes are binary (KiB), rates decimal (MB/s). */
public final class Units {

  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final String[] DECIMAL = {"", " k", " M", " G", " T", " P"};
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double TEN = 9.995;
  private static final double HUNDRED = 99.95;

  private Units() {}

  /** {@code 512 B}, {@code 4.0 KiB}, {@code 1.5 GiB}. */
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

  /** Bytes in a time as {@code 843 MB/s}, or {@code -} if there is nothing to measure. */
  public static String rate(long bytes, long nanos) {
    double megabytes = megabytes(bytes, nanos);
    return bytes == 0 || nanos <= 0
        ? "-"
        : megabytes < 1
            ? significant(1000 * megabytes) + " kB/s"
            : significant(megabytes) + " MB/s";
  }

  /** Megabytes (10^6) a second. */
  public static double megabytes(long bytes, long nanos) {
    return nanos <= 0 ? 0 : bytes / 1e6 / (nanos / NANOS_PER_SECOND);
  }

  /** Multiply-accumulates in a time as {@code 61.3 G GF-MAC/s}. */
  public static String macRate(double macs, long nanos) {
    return macs <= 0 || nanos <= 0 ? "-" : significant(macs / nanos) + " G GF-MAC/s";
  }

  /** {@code 512}, {@code 61.3 G}: with a decimal prefix. */
  public static String scaled(double value) {
    double scaled = value;
    int prefix = 0;
    while (scaled >= 999.5 && prefix < DECIMAL.length - 1) {
      scaled /= 1000;
      prefix++;
    }
    return prefix == 0 ? plain(value) : significant(scaled) + DECIMAL[prefix];
  }

  /** {@code 0.42 s}, {@code 12.3 s}, {@code 3 min 07 s}. */
  public static String duration(long nanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    if (seconds < 60) {
      return significant(seconds) + " s";
    }
    long whole = Math.round(seconds);
    return "%d min %02d s".formatted(whole / 60, whole % 60);
  }

  /** {@code 12,345}. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** A share as {@code 4.2}, to print beside a per cent sign. */
  public static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f", 100 * fraction);
  }

  /** Three digits or the whole number: {@code 3.14}, {@code 31.4}, {@code 314}, {@code 31,416}. */
  public static String significant(double value) {
    String format = value < TEN ? "%.2f" : value < HUNDRED ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Without a needless {@code .0}. */
  public static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
