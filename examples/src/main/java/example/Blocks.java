package example;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

final class Blocks {

  private Blocks() {}

  // example begin
  static byte[] combine(Engine engine, byte[] coefficients, byte[] blocks) {
    int n = coefficients.length;
    int k = blocks.length / n; // bytes of a block
    byte[] combination = new byte[k];
    engine
        .products()
        .multiply(
            Gf256.DEFAULT,
            ByteMatrices.of(MemorySegment.ofArray(coefficients), 1, n),
            ByteMatrices.of(MemorySegment.ofArray(blocks), n, k),
            ByteMatrices.of(MemorySegment.ofArray(combination), 1, k));
    return combination;
  }
  // example end
}
