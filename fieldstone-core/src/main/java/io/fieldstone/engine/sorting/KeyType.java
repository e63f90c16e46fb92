package io.fieldstone.engine.sorting;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the keys of records are, and the order they have. */
public enum KeyType {
  /** Unsigned integers of 32 bits. */
  U32(Integer.BYTES),

  /** Signed integers of 32 bits. */
  I32(Integer.BYTES),

  /** Unsigned integers of 64 bits. */
  U64(Long.BYTES),

  /** Signed integers of 64 bits. */
  I64(Long.BYTES),

  /**
   * IEEE 754 binary32 in the order of {@link Float#compare}: −0 before +0, every NaN after
   * everything else, and NaNs equal to each other whatever their bits.
   */
  F32(Integer.BYTES),

  /** IEEE 754 binary64 in the order of {@link Double#compare}, likewise. */
  F64(Long.BYTES);

  private static final long LOW_32 = 0xFFFF_FFFFL;

  private final int bytes;

  KeyType(int bytes) {
    this.bytes = bytes;
  }

  /**
   * The type of a name such as {@code u32}, in letters of either case.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static KeyType of(String name) {
    return Arrays.stream(values())
        .filter(type -> type.toString().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no key type '%s'; there are: %s"
                    .formatted(
                        name,
                        Arrays.stream(values())
                            .map(KeyType::toString)
                            .collect(Collectors.joining(", ")))));
  }

  /** Bytes of a key: 4 or 8. */
  public int bytes() {
    return bytes;
  }

  /** Whether keys are floating-point numbers, some of which are none. */
  public boolean isFloating() {
    return this == F32 || this == F64;
  }

  /**
   * Where a key stands among all of its type, as an unsigned number: one key comes before another
   * if its rank is less, and they are equal if their ranks are.
   *
   * @param bits of the key, in the low end; those above it are ignored
   * @return a rank of as many bits, zeros above it
   */
  public long bitOrdered(long bits) {
    return switch (this) {
      case U32 -> bits & LOW_32;
      case I32 -> (bits ^ Integer.MIN_VALUE) & LOW_32;
      case U64 -> bits;
      case I64 -> bits ^ Long.MIN_VALUE;
      case F32 -> {
        int canonical = Float.floatToIntBits(Float.intBitsToFloat((int) bits));
        // Of negative numbers the greater magnitude is the lesser number.
        yield Integer.toUnsignedLong(canonical < 0 ? ~canonical : canonical ^ Integer.MIN_VALUE);
      }
      case F64 -> {
        long canonical = Double.doubleToLongBits(Double.longBitsToDouble(bits));
        yield canonical < 0 ? ~canonical : canonical ^ Long.MIN_VALUE;
      }
    };
  }

  /** Its name, such as {@code u32}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
