package io.fieldstone.cli.console;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Converts and checks numbers on the command line. */
public final class Converters {

  private static final Pattern COUNT = Pattern.compile("[+-]?([0-9]+|0[xX][0-9a-fA-F]+)");

  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|NaN|Infinity)");

  private static final Pattern SIZE = Pattern.compile("([0-9]+|0[xX][0-9a-fA-F]+)\\s*([a-zA-Z]*)");

  /** The units of GNU tools: K and KiB are 1024, kB is 1000. */
  private static final Map<String, Long> UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("k", 1L << 10),
          Map.entry("kib", 1L << 10),
          Map.entry("kb", 1_000L),
          Map.entry("m", 1L << 20),
          Map.entry("mib", 1L << 20),
          Map.entry("mb", 1_000_000L),
          Map.entry("g", 1L << 30),
          Map.entry("gib", 1L << 30),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("t", 1L << 40),
          Map.entry("tib", 1L << 40),
          Map.entry("tb", 1_000_000_000_000L));

  private static final Pattern RATE =
      Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)\\s*([a-zA-Z]+)(/s)?");

  /** Bytes per second for each unit of a rate, which are decimal. */
  private static final Map<String, Double> RATE_UNITS =
      Map.of(
          "bit", 0.125,
          "kbit", 0.125e3,
          "mbit", 0.125e6,
          "gbit", 0.125e9,
          "b", 1.0,
          "kb", 1e3,
          "mb", 1e6,
          "gb", 1e9);

  private static final Pattern TIME = Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)\\s*(ms|s)");

  private static final int MAX_PORT = 65_535;

  private Converters() {}

  /**
   * Converts a size in bytes: {@code 4096}, {@code 4K}, {@code 64KiB}, {@code 1G}, {@code 10MB}.
   */
  public static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      Matcher matcher = SIZE.matcher(text.strip());
      Long unit = matcher.matches() ? UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
      if (unit == null) {
        throw new TypeConversionException(
            "'" + text + "' is not a size, such as 4096, 64KiB, 4K or 1G");
      }
      try {
        return Math.multiplyExact(Long.decode(decimalOrHex(matcher.group(1))), unit);
      } catch (NumberFormatException | ArithmeticException e) {
        throw new TypeConversionException("'" + text + "' is more than 2^63 - 1 bytes");
      }
    }
  }

  /** Converts a rate to bytes per second: {@code 40Mbit}, {@code 1.5Gbit}, {@code 10MB}. */
  public static final class Rate implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      Matcher matcher = RATE.matcher(text.strip());
      Double unit =
          matcher.matches() ? RATE_UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
      if (unit == null) {
        throw new TypeConversionException(
            "'" + text + "' is not a rate, such as 40Mbit, 1.5Gbit or 10MB");
      }
      double rate = Double.parseDouble(matcher.group(1)) * unit;
      if (!(rate >= 1 && rate < Long.MAX_VALUE)) {
        throw new TypeConversionException(
            "rate '" + text + "' is not between 1 and 2^63 - 1 bytes a second");
      }
      return (long) rate;
    }
  }

  /** Converts a time: {@code 100ms}, {@code 1.5s}. */
  public static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      Matcher matcher = TIME.matcher(text.strip());
      if (!matcher.matches()) {
        throw new TypeConversionException("'" + text + "' is not a time, such as 100ms or 1.5s");
      }
      double unit = matcher.group(2).equals("s") ? 1e9 : 1e6;
      double nanos = Double.parseDouble(matcher.group(1)) * unit;
      if (nanos < 1e6 || nanos > 60e9) {
        throw new TypeConversionException("time '" + text + "' is not in 1ms…60s");
      }
      return Duration.ofNanos((long) nanos);
    }
  }

  /**
   * Converts {@code HOST:PORT}, an IPv6 address in brackets, to an address that is not resolved
   * yet.
   */
  public static final class Address implements ITypeConverter<InetSocketAddress> {
    @Override
    public InetSocketAddress convert(String text) {
      String address = text.strip();
      int colon = address.lastIndexOf(':');
      String host = colon < 0 ? "" : address.substring(0, colon);
      if (host.startsWith("[") && host.endsWith("]")) {
        host = host.substring(1, host.length() - 1);
      } else if (host.contains(":")) {
        host = "";
      }
      String port = address.substring(colon + 1);
      if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT) {
        throw new TypeConversionException(
            "'" + text + "' is not HOST:PORT with a port in 0…" + MAX_PORT);
      }
      return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
    }
  }

  /** Converts {@code HOST:PORT}, or {@code HOST} for port {@value #PEER_PORT}. */
  public static final class PeerAddress implements ITypeConverter<InetSocketAddress> {

    /** The port of servers and relays. */
    static final int PEER_PORT = 4433;

    private static final Pattern HOST = Pattern.compile("[^:\\[\\]]+|\\[[^\\[\\]]*]");

    @Override
    public InetSocketAddress convert(String text) {
      String address = text.strip();
      return new Address()
          .convert(HOST.matcher(address).matches() ? address + ":" + PEER_PORT : address);
    }
  }

  /** Converts an integer, decimal or {@code 0x} hexadecimal. */
  public static final class Count implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      if (!COUNT.matcher(text.strip()).matches()) {
        throw new TypeConversionException("'" + text + "' is not an integer");
      }
      try {
        return Long.decode(decimalOrHex(text.strip()));
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' does not fit in 64 bits");
      }
    }
  }

  /** Converts a decimal number with an optional fraction and exponent. */
  public static final class Decimal implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      // Double.valueOf also accepts hexadecimal fractions and the suffixes f and d.
      if (!DECIMAL.matcher(text.strip()).matches()) {
        throw new TypeConversionException("'" + text + "' is not a number");
      }
      return Double.valueOf(text.strip());
    }
  }

  /** Converts a fraction: a decimal number, or one in percent. */
  public static final class Fraction implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      String number = text.strip();
      boolean isPercent = number.endsWith("%");
      String digits = isPercent ? number.substring(0, number.length() - 1).strip() : number;
      if (!DECIMAL.matcher(digits).matches()) {
        throw new TypeConversionException("'" + text + "' is neither a number nor a percentage");
      }
      return Double.parseDouble(digits) / (isPercent ? 100 : 1);
    }
  }

  /** Converts a seed: a signed or unsigned 64-bit integer, decimal or {@code 0x} hexadecimal. */
  public static final class Seed implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      String digits = text.strip().toLowerCase(Locale.ROOT);
      try {
        if (digits.startsWith("0x")) {
          return Long.parseUnsignedLong(digits.substring(2), 16);
        }
        return digits.startsWith("-") ? Long.parseLong(digits) : Long.parseUnsignedLong(digits);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' is not a 64-bit integer");
      }
    }
  }

  /**
   * Checks that a value is in range; otherwise throws a usage error with option, value and range.
   */
  public static int requireInRange(
      CommandSpec command, String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw usage(command, "%s %d is not in %d…%d".formatted(option, value, min, max));
    }
    return (int) value;
  }

  /** Checks that a size is in range; the error also states the maximum with a unit. */
  public static int requireSizeInRange(
      CommandSpec command, String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw usage(
          command,
          "%s %d is not in %d…%d (%s)".formatted(option, value, min, max, Units.bytes(max)));
    }
    return (int) value;
  }

  /** Checks that a value is in [min, limit); otherwise throws a usage error. */
  public static double requireFraction(
      CommandSpec command, String option, double value, double min, double limit) {
    if (!(value >= min && value < limit)) {
      throw usage(
          command,
          "%s %s is not in [%s, %s)"
              .formatted(option, Units.plain(value), Units.plain(min), Units.plain(limit)));
    }
    return value;
  }

  /** Returns a usage error of a command. */
  public static ParameterException usage(CommandSpec command, String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Removes leading zeros, because {@link Long#decode} reads them as octal. */
  private static String decimalOrHex(String digits) {
    return digits.replaceFirst("^([+-]?)0+(?=[0-9])", "$1");
  }
}
