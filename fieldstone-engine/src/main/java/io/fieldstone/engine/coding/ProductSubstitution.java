package io.fieldstone.engine.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Computes each frame with one product: p_s = Σ_{i&lt;s} (e_i/e_s)·p_i + (1/e_s)·c_s, without signs
 * in characteristic 2. The coded frame is stored in the row of its source frame, and then replaced
 * by it.
 */
final class ProductSubstitution implements Substitution {

  private final Gf256 field;
  private final ResidentBlocks frames;
  private final Arena arena = new CountedArena();

  /** The coefficients of the product: e_0/e_s … e_{s−1}/e_s, 1/e_s. */
  private final MemorySegment factors;

  private int solved;

  ProductSubstitution(ResidentBlocks frames) {
    this.field = frames.field();
    this.frames = frames;
    this.factors = Allocations.next(() -> arena.allocate(frames.rows(), Long.BYTES), frames::close);
  }

  @Override
  public int frames() {
    return frames.rows();
  }

  @Override
  public int frameSize() {
    return frames.columns();
  }

  @Override
  public int solved() {
    return solved;
  }

  @Override
  public void next(MemorySegment vector, MemorySegment payload, MemorySegment block) {
    int s = solved;
    if (s == frames()) {
      throw new IllegalStateException("all " + s + " frames are solved");
    }
    if (vector.byteSize() <= s || vector.byteSize() > frames()) {
      throw new IllegalArgumentException(
          "a vector of %d coefficients, expected %d…%d"
              .formatted(vector.byteSize(), s + 1, frames()));
    }
    if (block.byteSize() != frameSize()) {
      throw new IllegalArgumentException(
          "a destination of %d bytes, expected %d".formatted(block.byteSize(), frameSize()));
    }
    int divisor = vector.get(JAVA_BYTE, s) & 0xFF;
    if (divisor == 0) {
      throw new IllegalArgumentException("coefficient " + s + " of frame " + s + " is zero");
    }
    frames.store(0, s, payload);
    int factor = field.inverse(divisor);
    for (int i = 0; i < s; i++) {
      byte quotient = (byte) field.multiply(vector.get(JAVA_BYTE, i) & 0xFF, factor);
      factors.set(JAVA_BYTE, i, quotient);
    }
    factors.set(JAVA_BYTE, s, (byte) factor);
    frames.multiply(0, ByteMatrices.of(factors, 1, s + 1), ByteMatrices.of(block, 1, frameSize()));
    frames.store(0, s, block);
    solved++;
  }

  @Override
  public void clear() {
    solved = 0;
  }

  @Override
  public void close() {
    frames.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
