package io.fieldstone.engine.sorting;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The type of the keys of records, which defines their order. */
public enum KeyType {
  /** Unsigned 32-bit integers. */
  U32(Integer.BYTES),

  /** Signed 32-bit integers. */
  I32(Integer.BYTES),

  /** Unsigned 64-bit integers. */
  U64(Long.BYTES),

  /** Signed 64-bit integers. */
  I64(Long.BYTES),

  /**
   * IEEE 754 binary32 in the order of {@link Float#compare}: −0 before +0, and NaNs last. All NaNs
   * are equal.
   */
  F32(Integer.BYTES),

  /**
   * IEEE 754 binary64 in the order of {@link Double#compare}: −0 before +0, and NaNs last. All NaNs
   * are equal.
   */
  F64(Long.BYTES);

  private static final long LOW_32 = 0xFFFF_FFFFL;

  private final int bytes;

  KeyType(int bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the type with a name such as {@code u32}, in any case.
   *
   * @throws IllegalArgumentException if no type has the name; the message lists the names
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

  /** Returns the bytes of a key: 4 or 8. */
  public int bytes() {
    return bytes;
  }

  /** Returns true if keys are floating-point numbers, which may be NaN. */
  public boolean isFloating() {
    return this == F32 || this == F64;
  }

  /**
   * Maps a key to an unsigned number with the same order: equal keys have equal numbers, and a
   * lesser key a lesser number.
   *
   * @param bits the key in the low bits; higher bits are ignored
   * @return the bits of a key, with zeros above
   */
  public long bitOrdered(long bits) {
    return switch (this) {
      case U32 -> bits & LOW_32;
      case I32 -> (bits ^ Integer.MIN_VALUE) & LOW_32;
      case U64 -> bits;
      case I64 -> bits ^ Long.MIN_VALUE;
      case F32 -> {
        int canonical = Float.floatToIntBits(Float.intBitsToFloat((int) bits));
        // Among negative numbers, a greater magnitude means a lesser number.
        yield Integer.toUnsignedLong(canonical < 0 ? ~canonical : canonical ^ Integer.MIN_VALUE);
      }
      case F64 -> {
        long canonical = Double.doubleToLongBits(Double.longBitsToDouble(bits));
        yield canonical < 0 ? ~canonical : canonical ^ Long.MIN_VALUE;
      }
    };
  }

  /** Returns the name, such as {@code u32}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
