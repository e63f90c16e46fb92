package io.fieldstone.engine.verify;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Random bytes in random layouts, and what must become of them: products symbol by symbol, and not
 * a byte beside them.
 */
final class RandomMatrices {

  static final int MOST_ROWS = 40;
  static final int MOST_COLUMNS = 700;
  static final int MOST_MATRICES = 4;
  private static final int MOST_PADDING = 70;

  private final Gf256 field;
  private final SplittableRandom random;
  private final Arena arena;

  RandomMatrices(Gf256 field, SplittableRandom random, Arena arena) {
    this.field = field;
    this.random = random;
    this.arena = arena;
  }

  /** Random bytes at a random offset with random padding, native or on the heap. */
  ByteMatrices matrices(long count, int rows, int columns) {
    int stride = columns + random.nextInt(MOST_PADDING);
    long pitch = (long) rows * stride + random.nextInt(MOST_PADDING);
    int offset = random.nextInt(MOST_PADDING);
    long bytes = offset + count * pitch;
    byte[] content = new byte[Math.toIntExact(bytes)];
    random.nextBytes(content);
    MemorySegment data =
        random.nextInt(4) == 0
            ? MemorySegment.ofArray(content)
            : arena.allocate(bytes, 64).copyFrom(MemorySegment.ofArray(content));
    return new ByteMatrices(data.asSlice(offset), count, rows, columns, stride, pitch);
  }

  /**
   * Square matrices, some of them singular: each has a chance of a row that is zero, or that
   * repeats a multiple of another.
   */
  ByteMatrices square(long count, int n) {
    ByteMatrices matrices = matrices(count, n, n);
    for (long g = 0; g < count && n > 0; g++) {
      int spoiled = random.nextInt(n);
      int model = random.nextInt(n);
      int factor = random.nextInt(3) == 0 ? 0 : random.nextInt(256);
      if (random.nextInt(3) == 0 && (spoiled != model || factor == 0)) {
        for (int j = 0; j < n; j++) {
          int product = field.multiply(factor, at(matrices, g, model, j));
          matrices.data().set(JAVA_BYTE, matrices.offset(g, spoiled) + j, (byte) product);
        }
      }
    }
    return matrices;
  }

  /**
   * Writes {@code coefficients[g] · sources[first + g]} into {@code expected}, a copy of all bytes
   * of the products' memory, where the products lie.
   */
  void multiply(
      ByteMatrices coefficients,
      ByteMatrices sources,
      long first,
      ByteMatrices products,
      byte[] expected) {
    for (long g = 0; g < products.count(); g++) {
      for (int i = 0; i < products.rows(); i++) {
        for (int c = 0; c < products.columns(); c++) {
          int sum = 0;
          for (int j = 0; j < coefficients.columns(); j++) {
            sum ^= field.multiply(at(coefficients, g, i, j), at(sources, first + g, j, c));
          }
          expected[(int) products.offset(g, i) + c] = (byte) sum;
        }
      }
    }
  }

  /** Compares the memory of {@code products}, and what lies between rows, with what it must be. */
  Optional<String> compare(String what, ByteMatrices products, byte[] expected) {
    long at = products.data().mismatch(MemorySegment.ofArray(expected));
    return at < 0
        ? Optional.empty()
        : Optional.of("%s over %s: byte %d differs".formatted(what, field, at));
  }

  private static int at(ByteMatrices matrices, long matrix, int row, int column) {
    return matrices.data().get(JAVA_BYTE, matrices.offset(matrix, row) + column) & 0xFF;
  }
}
