package io.fieldstone.rlnc;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Seeded random cases for the tests of this package. */
final class Shapes {

  /** The number of codes, which cases take in turn. */
  static final int CODES = 5;

  private Shapes() {}

  /** A case: all random values of a test come from {@code random}. */
  record Case(int number, GenerationShape shape) {
    Random random() {
      return new Random(number);
    }

    @Override
    public String toString() {
      return "case %d: %s n=%d k=%d %s"
          .formatted(number, shape.code(), shape.blocks(), shape.blockSize(), shape.field());
    }
  }

  /** Cases over all codes and both fields; the first of each code has n = 1, the second k = 1. */
  static Stream<Case> cases(int count, int mostBlocks, int mostBlockSize) {
    return IntStream.range(0, count)
        .mapToObj(number -> {
          Random random = new Random(31L * number + 7);
          int n = number < CODES ? 1 : 1 + random.nextInt(mostBlocks);
          int k = number >= CODES && number < 2 * CODES ? 1 : 1 + random.nextInt(mostBlockSize);
          Code code = code(number, random);
          Gf256 field =
              random.nextBoolean() || !code.isOver(Gf256.RIJNDAEL) ? Gf256.DEFAULT : Gf256.RIJNDAEL;
          int blocks = Math.min(n, code.maxBlocks());
          return new Case(number, new GenerationShape(field, code, blocks, k));
        });
  }

  private static Code code(int number, Random random) {
    return switch (number % CODES) {
      case 0 -> new Code.Dense();
      case 1 -> new Code.Systematic();
      case 2 -> Code.Sparse.ofDensity(0.1 + 0.9 * random.nextDouble());
      case 3 -> new Code.Pipeline(random.nextDouble());
      default -> new Code.Cauchy();
    };
  }

  static MemorySegment bytes(Random random, long size) {
    byte[] bytes = new byte[Math.toIntExact(size)];
    random.nextBytes(bytes);
    return MemorySegment.ofArray(bytes);
  }

  static MemorySegment zeros(long size) {
    return MemorySegment.ofArray(new byte[Math.toIntExact(size)]);
  }

  static ByteMatrices matrices(long count, int rows, int columns) {
    return ByteMatrices.packed(zeros(count * rows * columns), count, rows, columns);
  }

  static byte[] array(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }
}
