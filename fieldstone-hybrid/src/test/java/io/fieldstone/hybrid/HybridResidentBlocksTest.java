package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Results stay on the part that made them, and every part may be asked for them next: random
 * stores, products and solutions between two sets of blocks, beside one engine that does the same.
 */
class HybridResidentBlocksTest {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final int MATRICES = 12;
  private static final int N = 5;
  private static final int K = 70;
  private static final int STEPS = 400;

  private final SplittableRandom random = new SplittableRandom(1);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu:scalar+cpu:vector@generations=0.5",
        "cpu:scalar+cpu:vector@rows=0.6",
        "cpu:scalar+cpu:vector+cpu@generations",
      })
  void everyPartReadsTheResultsOfAllParts(String spec) {
    try (Engine hybrid = Engine.open(spec);
        Engine single = Engine.open("cpu:scalar");
        ResidentBlocks ours = hybrid.load(FIELD, matrices(MATRICES, N, K));
        ResidentBlocks oursToo = hybrid.allocate(FIELD, MATRICES, N, K);
        ResidentBlocks theirs = single.allocate(FIELD, MATRICES, N, K);
        ResidentBlocks theirsToo = single.allocate(FIELD, MATRICES, N, K)) {
      theirs.store(read(ours, 0, MATRICES));
      for (int step = 0; step < STEPS; step++) {
        boolean forth = random.nextBoolean();
        step(
            forth ? ours : oursToo,
            forth ? oursToo : ours,
            forth ? theirs : theirsToo,
            forth ? theirsToo : theirs);
      }
      assertSame(read(ours, 0, MATRICES), read(theirs, 0, MATRICES));
      assertSame(read(oursToo, 0, MATRICES), read(theirsToo, 0, MATRICES));
    }
  }

  private void step(
      ResidentBlocks from, ResidentBlocks to, ResidentBlocks theirFrom, ResidentBlocks theirTo) {
    int count = random.nextInt(MATRICES + 1);
    int first = random.nextInt(MATRICES - count + 1);
    int target = random.nextInt(MATRICES - count + 1);
    switch (random.nextInt(6)) {
      case 0 -> {
        ByteMatrices blocks = matrices(count, 1 + random.nextInt(N), K);
        from.store(first, blocks);
        theirFrom.store(first, blocks);
      }
      case 1 -> {
        MemorySegment block = matrices(1, 1, K).data();
        int row = random.nextInt(N);
        int matrix = random.nextInt(MATRICES);
        from.store(matrix, row, block);
        theirFrom.store(matrix, row, block);
      }
      case 2 -> {
        ByteMatrices coefficients = matrices(count, N, random.nextInt(N + 1));
        from.multiply(first, coefficients, to, target);
        theirFrom.multiply(first, coefficients, theirTo, target);
      }
      case 3 -> {
        ByteMatrices coefficients = systems(count);
        int[] ranks = from.solve(first, coefficients, to, target);
        assertThat(ranks).isEqualTo(theirFrom.solve(first, coefficients, theirTo, target));
      }
      case 4 -> {
        ByteMatrices coefficients = matrices(count, 8, N);
        ByteMatrices products = matrices(count, 8, K);
        ByteMatrices theirProducts = matrices(count, 8, K);
        from.multiply(first, coefficients, products);
        theirFrom.multiply(first, coefficients, theirProducts);
        assertSame(products, theirProducts);
      }
      default -> assertSame(read(from, first, count), read(theirFrom, first, count));
    }
  }

  private ByteMatrices read(ResidentBlocks blocks, int first, int count) {
    ByteMatrices read = matrices(count, N, K);
    blocks.read(first, read);
    return read;
  }

  /** Every third is singular. */
  private ByteMatrices systems(int count) {
    ByteMatrices systems = matrices(count, N, N);
    for (int g = 0; g < count; g++) {
      if (random.nextInt(3) == 0) {
        systems.row(g, random.nextInt(N)).fill((byte) 0);
      }
    }
    return systems;
  }

  private ByteMatrices matrices(int count, int rows, int columns) {
    byte[] content = new byte[count * rows * columns];
    random.nextBytes(content);
    return ByteMatrices.packed(MemorySegment.ofArray(content), count, rows, columns);
  }

  private static void assertSame(ByteMatrices ours, ByteMatrices theirs) {
    assertThat(ours.data().mismatch(theirs.data())).isNegative();
  }
}
