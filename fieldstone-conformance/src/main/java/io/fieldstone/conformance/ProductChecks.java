package io.fieldstone.conformance;

import static io.fieldstone.conformance.RandomMatrices.MAX_COLUMNS;
import static io.fieldstone.conformance.RandomMatrices.MAX_MATRICES;
import static io.fieldstone.conformance.RandomMatrices.MAX_ROWS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Philox;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.SplittableRandom;

/** Compares random products with the definition, symbol by symbol. */
final class ProductChecks {

  private final Engine engine;
  private final SplittableRandom random;
  private final Gf256 field;

  ProductChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
    this.field = random.nextBoolean() ? Gf256.DEFAULT : Gf256.RIJNDAEL;
  }

  /** Multiplies a few small matrices; any dimension may be zero. */
  Optional<String> product() {
    return product(
        random.nextInt(MAX_MATRICES + 1),
        random.nextInt(MAX_ROWS),
        random.nextInt(MAX_ROWS),
        random.nextInt(MAX_COLUMNS),
        false);
  }

  /** Multiplies a few small matrices with coefficients that the engine draws. */
  Optional<String> drawn() {
    return product(
        random.nextInt(MAX_MATRICES + 1),
        random.nextInt(MAX_ROWS),
        random.nextInt(MAX_ROWS),
        random.nextInt(MAX_COLUMNS),
        true);
  }

  /** Multiplies with sums long enough for an engine to select another algorithm. */
  Optional<String> longSums() {
    return product(
        1,
        256 + random.nextInt(9),
        1024 + random.nextInt(40),
        256 + random.nextInt(40),
        random.nextBoolean());
  }

  /** Multiplies matrices large enough for an engine to split the product. */
  Optional<String> largeProduct() {
    return product(
        1,
        64 + random.nextInt(9),
        64 + random.nextInt(9),
        3000 + random.nextInt(2000),
        random.nextBoolean());
  }

  /** Draws more coefficients than an engine holds at once, for one matrix or many. */
  Optional<String> manyDraws() {
    return random.nextBoolean()
        ? product(
            1, 1100 + random.nextInt(9), 1000 + random.nextInt(9), 1 + random.nextInt(3), true)
        : product(
            20, 260 + random.nextInt(9), 250 + random.nextInt(9), 1 + random.nextInt(3), true);
  }

  private Optional<String> product(int count, int m, int n, int k, boolean drawn) {
    try (Arena arena = Arena.ofConfined()) {
      RandomMatrices memory = new RandomMatrices(field, random, arena);
      Coefficients coefficients = drawn ? draws(random, count, m, n) : memory.matrices(count, m, n);
      ByteMatrices sources = memory.matrices(count, n, k);
      ByteMatrices products = memory.matrices(count, m, k);
      byte[] expected = products.data().toArray(JAVA_BYTE);
      memory.multiply(written(coefficients, arena), sources, 0, products, expected);
      engine.products().multiply(field, coefficients, sources, products);
      return memory.compare(
          "%d %s of %d×%d by %d×%d"
              .formatted(count, drawn ? "drawn products" : "products", m, n, n, k),
          products,
          expected);
    }
  }

  /** Returns coefficients with random counters, up to the end of their range. */
  static RandomCoefficients draws(SplittableRandom random, long count, int rows, int columns) {
    long limit = 1L << 32;
    long maxGeneration = limit - Math.max(1, count);
    long maxIndex = limit - Math.max(1, rows);
    return new RandomCoefficients(
        random.nextLong(),
        random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(4),
        random.nextInt(4) == 0 ? maxGeneration : random.nextLong(maxGeneration + 1),
        random.nextInt(4) == 0 ? maxIndex : random.nextLong(maxIndex + 1),
        count,
        rows,
        columns);
  }

  /**
   * Returns coefficients as matrices; draws them by the definition in {@link RandomCoefficients}.
   */
  static ByteMatrices written(Coefficients coefficients, Arena arena) {
    return switch (coefficients) {
      case ByteMatrices given -> given;
      case RandomCoefficients draws -> {
        long count = draws.count();
        int rows = draws.rows();
        int columns = draws.columns();
        ByteMatrices written =
            ByteMatrices.packed(arena.allocate(count * rows * columns), count, rows, columns);
        long[] block = new long[2];
        for (long g = 0; g < count; g++) {
          for (int row = 0; row < rows; row++) {
            long counter1 = draws.firstGeneration() + g;
            long counter2 = draws.firstIndex() + row;
            for (int j = 0; j < columns; j++) {
              Philox.block(
                  draws.seed(),
                  counter1 << 32 | j / 16,
                  counter2 | (long) draws.domain() << 32,
                  block,
                  0);
              byte coefficient = (byte) (block[j % 16 / 8] >>> (j % 8 * 8));
              written.data().set(JAVA_BYTE, written.offset(g, row) + j, coefficient);
            }
          }
        }
        yield written;
      }
    };
  }
}
