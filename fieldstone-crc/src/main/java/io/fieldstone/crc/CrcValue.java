package io.fieldstone.crc;

import java.util.HexFormat;

/**
 * A bit string of the width of a CRC: a checksum, a register, or a parameter of a {@link CrcModel}.
 * Bit i is the coefficient of x<sup>i</sup>. Immutable.
 *
 * @param width the bits, 1 to {@value #MAX_WIDTH}
 * @param high bits 64 and up
 * @param low bits 0 to 63
 */
public record CrcValue(int width, long high, long low) {

  /** The maximum width in bits; the widest CRC in use is CRC-82/DARC. */
  public static final int MAX_WIDTH = 2 * Long.SIZE;

  private static final int HEX_RADIX = 16;
  private static final int HEX_BITS = 4;
  private static final int LOW_DIGITS = Long.SIZE / HEX_BITS;

  /**
   * Checks that the bits fit the width.
   *
   * @throws IllegalArgumentException if the width is not in 1…128, or a bit lies beyond it
   */
  public CrcValue {
    requireWidth(width);
    if ((high & ~highMask(width)) != 0 || (low & ~lowMask(width)) != 0) {
      throw new IllegalArgumentException(
          "0x%s has more than %d bits".formatted(hex(high, low), width));
    }
  }

  /**
   * Returns a value of at most 64 bits.
   *
   * @param bits unsigned
   */
  public static CrcValue of(int width, long bits) {
    return new CrcValue(width, 0, bits);
  }

  /** Returns a value without set bits. */
  public static CrcValue zeros(int width) {
    return new CrcValue(width, 0, 0);
  }

  /** Returns a value with all bits set. */
  public static CrcValue ones(int width) {
    requireWidth(width);
    return new CrcValue(width, highMask(width), lowMask(width));
  }

  /**
   * Parses hexadecimal digits of either case, with or without {@code 0x}.
   *
   * @throws IllegalArgumentException if the text is not hexadecimal, or has more bits than the
   *     width
   */
  public static CrcValue parse(int width, String text) {
    requireWidth(width);
    String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
    if (!isHexadecimal(digits)) {
      throw new IllegalArgumentException("'" + text + "' is not a hexadecimal number");
    }
    digits = withoutLeadingZeros(digits);
    if (digits.length() > 2 * LOW_DIGITS) {
      throw new IllegalArgumentException("0x%s has more than %d bits".formatted(digits, width));
    }
    int split = Math.max(0, digits.length() - LOW_DIGITS);
    return new CrcValue(
        width, unsigned(digits.substring(0, split)), unsigned(digits.substring(split)));
  }

  /** Without a regular expression, whose first use takes milliseconds. */
  private static boolean isHexadecimal(String digits) {
    for (int i = 0; i < digits.length(); i++) {
      if (!HexFormat.isHexDigit(digits.charAt(i))) {
        return false;
      }
    }
    return !digits.isEmpty();
  }

  private static String withoutLeadingZeros(String digits) {
    int zeros = 0;
    while (zeros < digits.length() && digits.charAt(zeros) == '0') {
      zeros++;
    }
    return digits.substring(zeros);
  }

  private static long unsigned(String digits) {
    return digits.isEmpty() ? 0 : Long.parseUnsignedLong(digits, HEX_RADIX);
  }

  /** Returns true if bit i is set. */
  public boolean bit(int i) {
    return ((i < Long.SIZE ? low >>> i : high >>> i - Long.SIZE) & 1) != 0;
  }

  /** Returns true if no bit is set. */
  public boolean isZero() {
    return (high | low) == 0;
  }

  /**
   * Returns the bitwise exclusive or.
   *
   * @throws IllegalArgumentException if the other has another width
   */
  public CrcValue xor(CrcValue other) {
    if (other.width != width) {
      throw new IllegalArgumentException(
          "value of %d bits, expected %d".formatted(other.width, width));
    }
    return new CrcValue(width, high ^ other.high, low ^ other.low);
  }

  /** Returns the bits in reverse order. */
  public CrcValue reflected() {
    // Reversing all 128 bits moves the value to the top; it is shifted down by the unused bits.
    return new CrcValue(MAX_WIDTH, Long.reverse(low), Long.reverse(high))
        .shiftedRight(MAX_WIDTH - width)
        .resized(width);
  }

  /**
   * Returns the value as a number.
   *
   * @throws ArithmeticException if the width exceeds 64 bits
   */
  public long toLong() {
    if (width > Long.SIZE) {
      throw new ArithmeticException("a value of " + width + " bits does not fit a long");
    }
    return low;
  }

  /** Returns the minimum number of bytes for the width, most significant first. */
  public byte[] toByteArray() {
    byte[] bytes = new byte[Math.ceilDiv(width, Byte.SIZE)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[bytes.length - 1 - i] = (byte) shiftedRight(i * Byte.SIZE).low;
    }
    return bytes;
  }

  /** Returns lower-case hexadecimal digits for the full width, such as {@code cbf43926}. */
  @Override
  public String toString() {
    int digits = Math.ceilDiv(width, HEX_BITS);
    return "%016x%016x".formatted(high, low).substring(2 * LOW_DIGITS - digits);
  }

  CrcValue shiftedRight(int count) {
    if (count == 0) {
      return this;
    }
    return count < Long.SIZE
        ? new CrcValue(width, high >>> count, low >>> count | high << Long.SIZE - count)
        : new CrcValue(width, 0, count < MAX_WIDTH ? high >>> count - Long.SIZE : 0);
  }

  // Written out: the JVM makes those of records when they are first called, which a short command
  // waits for.
  @Override
  public boolean equals(Object other) {
    return other instanceof CrcValue value
        && width == value.width
        && high == value.high
        && low == value.low;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(31 * high + low) + width;
  }

  /** Returns the same number with another width, which it must fit. */
  CrcValue resized(int newWidth) {
    return new CrcValue(newWidth, high, low);
  }

  static long highMask(int width) {
    return width <= Long.SIZE ? 0 : -1L >>> MAX_WIDTH - width;
  }

  static long lowMask(int width) {
    return width >= Long.SIZE ? -1L : -1L >>> Long.SIZE - width;
  }

  private static void requireWidth(int width) {
    if (width < 1 || width > MAX_WIDTH) {
      throw new IllegalArgumentException("width " + width + " is not in 1…" + MAX_WIDTH);
    }
  }

  private static String hex(long high, long low) {
    return high == 0 ? "%x".formatted(low) : "%x%016x".formatted(high, low);
  }
}
