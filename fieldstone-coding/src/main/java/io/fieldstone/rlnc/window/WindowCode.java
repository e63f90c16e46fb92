package io.fieldstone.rlnc.window;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The random linear code of RFC 8681 over a sliding window: a rule that gives the coefficients of a
 * repair symbol for its key.
 *
 * {@snippet :
 * byte[] coefficients = new byte[8];
 * WindowCode.GF256.coefficients(1, 8, MemorySegment.ofArray(coefficients)); // 25 e1 b1 b0 15 …
 * }
 *
 * <p>Coefficient i belongs to source symbol first + i of the window. A coefficient over GF(2) is
 * the byte 0 or 1, so that the products of GF(2<sup>8</sup>) apply to both fields. The field is
 * that of {@link io.fieldstone.field.Gf256#DEFAULT} (RFC 8681, section 3.5: x<sup>8</sup> +
 * x<sup>4</sup> + x<sup>3</sup> + x<sup>2</sup> + 1).
 *
 * <p>A coefficient is nonzero with probability (densityThreshold + 1) / 16. Over GF(2<sup>8</sup>),
 * its value is then uniform in 1 … 255. With threshold 15, every coefficient is nonzero. Over
 * GF(2), all of them are then 1, and the only key is 0.
 *
 * <p>Immutable and thread-safe. Source: RFC 8681, section 3.6, with {@link TinyMt32} seeded by the
 * key.
 *
 * @param elementBits the parameter m of the field GF(2<sup>m</sup>): 1 or 8
 * @param densityThreshold the parameter DT, 0 … {@value #MAX_DENSITY_THRESHOLD}
 */
public record WindowCode(int elementBits, int densityThreshold) {

  /** The density threshold with which all coefficients are nonzero: DT has 4 bits on the wire. */
  public static final int MAX_DENSITY_THRESHOLD = 15;

  /** The largest key: Repair_Key has 16 bits on the wire. */
  public static final int MAX_KEY = 0xFFFF;

  /** The most source symbols in one repair symbol: NSS has 12 bits on the wire. */
  public static final int MAX_COUNT = 0xFFF;

  /** The code over GF(2<sup>8</sup>) whose coefficients are all nonzero. */
  public static final WindowCode GF256 = new WindowCode(8, MAX_DENSITY_THRESHOLD);

  /** The code over GF(2) in which half of the coefficients are 1, on average. */
  public static final WindowCode GF2 = new WindowCode(1, 7);

  /** Checks the parameters. */
  public WindowCode {
    if (elementBits != 1 && elementBits != 8) {
      throw new IllegalArgumentException("elements have " + elementBits + " bits, not 1 or 8");
    }
    if (densityThreshold < 0 || densityThreshold > MAX_DENSITY_THRESHOLD) {
      throw new IllegalArgumentException(
          "density threshold %d is not in 0…%d".formatted(densityThreshold, MAX_DENSITY_THRESHOLD));
    }
  }

  /** Returns whether the field is GF(2). */
  public boolean isBinary() {
    return elementBits == 1;
  }

  /** Returns the number of keys, which are 0 … keys − 1: 65536, or 1 if all coefficients are 1. */
  public int keys() {
    return isBinary() && densityThreshold == MAX_DENSITY_THRESHOLD ? 1 : MAX_KEY + 1;
  }

  /**
   * Writes the coefficients of a repair symbol, one byte for each source symbol in its window.
   *
   * @param key Repair_Key, 0 … {@link #keys} − 1
   * @param count the number of source symbols, 1 … {@value #MAX_COUNT}
   * @param destination receives the coefficients in its first {@code count} bytes
   * @throws IllegalArgumentException if an argument is out of range
   */
  public void coefficients(int key, int count, MemorySegment destination) {
    requireKey(key);
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException(
          "%d source symbols in a repair symbol are not in 1…%d".formatted(count, MAX_COUNT));
    }
    if (destination.byteSize() < count) {
      throw new IllegalArgumentException(
          "destination has %d bytes for %d coefficients".formatted(destination.byteSize(), count));
    }
    if (keys() == 1) {
      destination.asSlice(0, count).fill((byte) 1);
      return;
    }
    TinyMt32 random = new TinyMt32(key);
    for (int i = 0; i < count; i++) {
      destination.set(ValueLayout.JAVA_BYTE, i, (byte) draw(random));
    }
  }

  private int draw(TinyMt32 random) {
    boolean all = densityThreshold == MAX_DENSITY_THRESHOLD;
    // With threshold 15, RFC 8681 draws no number for the choice between zero and nonzero.
    if (!all && random.rand16() > densityThreshold) {
      return 0;
    }
    return isBinary() ? 1 : nonzero(random);
  }

  private static int nonzero(TinyMt32 random) {
    int value = random.rand256();
    while (value == 0) {
      value = random.rand256();
    }
    return value;
  }

  /** Checks a key. */
  void requireKey(int key) {
    if (key < 0 || key >= keys()) {
      throw new IllegalArgumentException(
          "repair key %d is not in 0…%d, for %d-bit elements and density threshold %d"
              .formatted(key, keys() - 1, elementBits, densityThreshold));
    }
  }
}
