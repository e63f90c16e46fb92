package io.fieldstone.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf256Matrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Makes random matrices in random layouts and computes the expected memory after products,
 * including the padding.
 */
final class RandomMatrices {

  static final int MAX_ROWS = 40;
  static final int MAX_COLUMNS = 700;
  static final int MAX_MATRICES = 4;
  private static final int MAX_PADDING = 70;

  private final Gf256 field;
  private final SplittableRandom random;
  private final Arena arena;

  RandomMatrices(Gf256 field, SplittableRandom random, Arena arena) {
    this.field = field;
    this.random = random;
    this.arena = arena;
  }

  /** Returns random matrices at a random offset with random padding, native or on the heap. */
  ByteMatrices matrices(long count, int rows, int columns) {
    int stride = columns + random.nextInt(MAX_PADDING);
    long pitch = (long) rows * stride + random.nextInt(MAX_PADDING);
    int offset = random.nextInt(MAX_PADDING);
    long bytes = offset + count * pitch;
    byte[] content = new byte[Math.toIntExact(bytes)];
    random.nextBytes(content);
    MemorySegment data =
        random.nextInt(4) == 0
            ? MemorySegment.ofArray(content)
            : arena.allocate(bytes, 64).copyFrom(MemorySegment.ofArray(content));
    return new ByteMatrices(data.asSlice(offset), count, rows, columns, stride, pitch);
  }

  /** Returns square matrices, some of them singular: a row may be zero or a multiple of another. */
  ByteMatrices square(long count, int n) {
    ByteMatrices matrices = matrices(count, n, n);
    for (long g = 0; g < count && n > 0; g++) {
      int dependentRow = random.nextInt(n);
      int sourceRow = random.nextInt(n);
      int factor = random.nextInt(3) == 0 ? 0 : random.nextInt(256);
      if (random.nextInt(3) == 0 && (dependentRow != sourceRow || factor == 0)) {
        for (int j = 0; j < n; j++) {
          int product = field.multiply(factor, at(matrices, g, sourceRow, j));
          matrices.data().set(JAVA_BYTE, matrices.offset(g, dependentRow) + j, (byte) product);
        }
      }
    }
    return matrices;
  }

  /** Returns three diagonal matrices; only the second has a zero on its diagonal. */
  ByteMatrices secondOfThreeSingular(int n) {
    ByteMatrices matrices = matrices(3, n, n);
    for (int g = 0; g < 3; g++) {
      for (int row = 0; row < n; row++) {
        MemorySegment unit = matrices.row(g, row);
        unit.fill((byte) 0);
        unit.set(JAVA_BYTE, row, (byte) (g == 1 && row == n / 2 ? 0 : 1 + random.nextInt(255)));
      }
    }
    return matrices;
  }

  /**
   * Writes {@code coefficients[g] · sources[first + g]} to the places of the products in {@code
   * expected}, a copy of their memory.
   */
  void multiply(
      ByteMatrices coefficients,
      ByteMatrices sources,
      long first,
      ByteMatrices products,
      byte[] expected) {
    int columns = products.columns();
    byte[] source = new byte[columns];
    for (long g = 0; g < products.count(); g++) {
      for (int i = 0; i < products.rows(); i++) {
        int at = Math.toIntExact(products.offset(g, i));
        Arrays.fill(expected, at, at + columns, (byte) 0);
        for (int j = 0; j < coefficients.columns(); j++) {
          MemorySegment.copy(sources.row(first + g, j), JAVA_BYTE, 0, source, 0, columns);
          addMultiple(field, at(coefficients, g, i, j), source, expected, at);
        }
      }
    }
  }

  /** Adds {@code factor} times each symbol of a block to the sums from index {@code at}. */
  static void addMultiple(Gf256 field, int factor, byte[] block, byte[] sums, int at) {
    for (int c = 0; c < block.length; c++) {
      sums[at + c] ^= (byte) field.multiply(factor, block[c] & 0xFF);
    }
  }

  /**
   * Checks solutions of systems: full-rank systems must be solved, all other bytes unchanged.
   *
   * @param before all bytes of the solutions' memory before solving
   */
  Optional<String> checkSolutions(
      ByteMatrices coefficients,
      ByteMatrices rights,
      ByteMatrices solutions,
      byte[] before,
      int[] ranks) {
    int n = coefficients.rows();
    if (ranks.length != coefficients.count()) {
      return Optional.of("%d ranks of %d matrices".formatted(ranks.length, coefficients.count()));
    }
    byte[] expected = before.clone();
    ByteMatrices inverses =
        ByteMatrices.packed(
            MemorySegment.ofArray(new byte[ranks.length * n * n]), ranks.length, n, n);
    for (int g = 0; g < ranks.length; g++) {
      byte[] content = new byte[n * n];
      for (int row = 0; row < n; row++) {
        MemorySegment.copy(coefficients.row(g, row), JAVA_BYTE, 0, content, row * n, n);
      }
      Gf256Matrix matrix = Gf256Matrix.of(field, n, n, content);
      if (ranks[g] != matrix.rank()) {
        return Optional.of(
            "rank %d of a system of rank %d, n = %d".formatted(ranks[g], matrix.rank(), n));
      }
      if (ranks[g] == n) {
        Gf256Matrix inverse = matrix.inverse().orElseThrow();
        inverses.matrix(g).data().copyFrom(MemorySegment.ofArray(inverse.toByteArray()));
      }
    }
    multiply(inverses, rights, 0, solutions, expected);
    for (int g = 0; g < ranks.length; g++) {
      for (int row = 0; row < n && ranks[g] < n; row++) {
        int at = (int) solutions.offset(g, row);
        System.arraycopy(before, at, expected, at, solutions.columns());
      }
    }
    return compare("solutions of %d unknowns".formatted(n), solutions, expected);
  }

  /** Compares the memory of {@code products}, including padding, with the expected bytes. */
  Optional<String> compare(String label, ByteMatrices products, byte[] expected) {
    long at = products.data().mismatch(MemorySegment.ofArray(expected));
    return at < 0
        ? Optional.empty()
        : Optional.of("%s over %s: byte %d differs".formatted(label, field, at));
  }

  private static int at(ByteMatrices matrices, long matrix, int row, int column) {
    return matrices.data().get(JAVA_BYTE, matrices.offset(matrix, row) + column) & 0xFF;
  }
}
