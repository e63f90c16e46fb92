package io.fieldstone.rlnc.window;

/**
 * What a receiver must know of a repair symbol: the key of its coefficients, and the source packets
 * that it combines. Source: RFC 8681, section 4.1.3 (Repair FEC Payload ID).
 *
 * @param key the key for {@link WindowCode#coefficients}, 0 … {@value WindowCode#MAX_KEY}
 * @param first the id of the first source packet, 0 … {@value WindowShape#MAX_ID}
 * @param count the number of source packets, 1 … {@value WindowCode#MAX_COUNT}
 */
public record Repair(int key, long first, int count) {

  /** Checks the ranges. */
  public Repair {
    if (key < 0 || key > WindowCode.MAX_KEY) {
      throw new IllegalArgumentException(
          "repair key %d is not in 0…%d".formatted(key, WindowCode.MAX_KEY));
    }
    WindowShape.requireIds(first, count);
  }

  /** Returns the id after the last source packet. */
  public long end() {
    return first + count;
  }
}
