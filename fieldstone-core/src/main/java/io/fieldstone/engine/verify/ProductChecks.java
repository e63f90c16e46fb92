package io.fieldstone.engine.verify;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;

/** Random products, compared with the definition symbol by symbol. */
final class ProductChecks {

  private static final int MOST_ROWS = 40;
  private static final int MOST_COLUMNS = 700;
  private static final int MOST_MATRICES = 4;
  private static final int MOST_PADDING = 70;

  private final Engine engine;
  private final SplittableRandom random;
  private final Gf256 field;

  ProductChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
    this.field = random.nextBoolean() ? Gf256.DEFAULT : Gf256.RIJNDAEL;
  }

  /** Products of up to {@value #MOST_MATRICES} small matrices, any dimension possibly zero. */
  Optional<String> product() {
    return product(
        random.nextInt(1, MOST_MATRICES + 1),
        random.nextInt(MOST_ROWS),
        random.nextInt(MOST_ROWS),
        random.nextInt(MOST_COLUMNS));
  }

  /** A product large enough for an engine to split it. */
  Optional<String> largeProduct() {
    return product(1, 64 + random.nextInt(9), 64 + random.nextInt(9), 3000 + random.nextInt(2000));
  }

  /** Products drawn from resident blocks, with fewer coefficients than blocks now and then. */
  Optional<String> resident() {
    int count = random.nextInt(1, MOST_MATRICES + 1);
    int n = random.nextInt(1, MOST_ROWS);
    int m = random.nextInt(MOST_ROWS);
    int k = random.nextInt(1, MOST_COLUMNS);
    try (Arena arena = Arena.ofConfined()) {
      ByteMatrices sources = matrices(arena, count, n, k);
      try (ResidentBlocks blocks = engine.load(field, sources)) {
        MemorySegment copy = arena.allocate(k);
        blocks.read(count - 1, n - 1, copy);
        if (copy.mismatch(sources.row(count - 1, n - 1)) >= 0) {
          return Optional.of("the last block does not read back");
        }
        int first = random.nextInt(count);
        int used = random.nextInt(n + 1);
        ByteMatrices coefficients = matrices(arena, count - first, m, used);
        ByteMatrices products = matrices(arena, count - first, m, k);
        byte[] before = products.data().toArray(JAVA_BYTE);
        blocks.multiply(first, coefficients, products);
        return compare(coefficients, sources, first, products, before);
      }
    }
  }

  private Optional<String> product(int count, int m, int n, int k) {
    try (Arena arena = Arena.ofConfined()) {
      ByteMatrices coefficients = matrices(arena, count, m, n);
      ByteMatrices sources = matrices(arena, count, n, k);
      ByteMatrices products = matrices(arena, count, m, k);
      byte[] before = products.data().toArray(JAVA_BYTE);
      engine.products().multiply(field, coefficients, sources, products);
      return compare(coefficients, sources, 0, products, before);
    }
  }

  /** Random matrices at a random offset with random padding, native or on the heap. */
  private ByteMatrices matrices(Arena arena, long count, int rows, int columns) {
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

  private Optional<String> compare(
      ByteMatrices coefficients,
      ByteMatrices sources,
      int first,
      ByteMatrices products,
      byte[] before) {
    byte[] expected = before;
    for (int g = 0; g < products.count(); g++) {
      for (int i = 0; i < products.rows(); i++) {
        for (int c = 0; c < products.columns(); c++) {
          int sum = 0;
          for (int j = 0; j < coefficients.columns(); j++) {
            sum ^=
                field.multiply(
                    coefficients.data().get(JAVA_BYTE, coefficients.offset(g, i) + j) & 0xFF,
                    sources.data().get(JAVA_BYTE, sources.offset(first + g, j) + c) & 0xFF);
          }
          expected[(int) products.offset(g, i) + c] = (byte) sum;
        }
      }
    }
    long at = products.data().mismatch(MemorySegment.ofArray(expected));
    return at < 0
        ? Optional.empty()
        : Optional.of(
            "%d of %d×%d by %d×%d over %s: byte %d of the products differs"
                .formatted(
                    products.count(),
                    products.rows(),
                    coefficients.columns(),
                    coefficients.columns(),
                    products.columns(),
                    field,
                    at));
  }
}
