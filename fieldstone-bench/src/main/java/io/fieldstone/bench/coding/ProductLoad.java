package io.fieldstone.bench.coding;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Makes m coded blocks of k bytes from n resident blocks on one engine, as a server or a recoder
 * does.
 */
public final class ProductLoad implements AutoCloseable {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final long ALIGNMENT = 64;

  /** Bytes between the coded blocks, so that blocks of a power of two do not share cache sets. */
  private static final int PADDING = 64;

  /** The coefficients of a benchmark. */
  public enum CoefficientKind {
    /** 0xff everywhere, the slowest case of a loop multiplication. */
    ALL_ONES,
    /** Uniform in 1 … 255. */
    RANDOM
  }

  private final Arena arena = Arena.ofShared();
  private final int n;
  private final int k;
  private final MemorySegment coefficients;
  private final MemorySegment products;
  private final MemorySegment sources;
  private final ResidentBlocks resident;

  /**
   * Loads random blocks.
   *
   * @param m the maximum number of coded blocks per product
   * @param n source blocks
   * @param k bytes of a block
   */
  public ProductLoad(Engine engine, int m, int n, int k, CoefficientKind kind) {
    this.n = n;
    this.k = k;
    long seed = n * 31L + k;
    this.coefficients = arena.allocate((long) m * n, ALIGNMENT);
    switch (kind) {
      case ALL_ONES -> coefficients.fill((byte) 0xFF);
      case RANDOM -> {
        SplittableRandom random = new SplittableRandom(seed);
        for (long at = 0; at < coefficients.byteSize(); at++) {
          coefficients.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(1, 256));
        }
      }
    }
    this.sources = arena.allocate((long) n * k, ALIGNMENT);
    RandomBytes.fill(sources, seed);
    this.products = arena.allocate((long) m * (k + PADDING), ALIGNMENT);
    this.resident = engine.load(FIELD, ByteMatrices.of(sources, n, k));
    verify(m);
  }

  /** Returns the GF-MACs of {@code m} coded blocks. */
  double work(int m) {
    return (double) m * n * k;
  }

  /** Makes {@code m} coded blocks. */
  void make(int m) {
    resident.multiply(
        0, ByteMatrices.of(coefficients, m, n), ByteMatrices.strided(products, m, k, k + PADDING));
  }

  /** Measures making {@code m} coded blocks. */
  public Candidate candidate(String name, int m) {
    return new Candidate(name, work(m), () -> make(m));
  }

  /**
   * Returns the number of blocks, 4, 8, 16, … or {@code wanted}, that take about {@code time}, but
   * at least {@code least}. Slow kernels are measured on fewer blocks; the time is proportional to
   * their number. A number that takes too long is tried again, because the kernel may not be
   * compiled yet.
   */
  public int affordable(int least, int wanted, Duration time) {
    int m = Math.min(Math.max(4, least), wanted);
    long spent = 0;
    while (m < wanted && spent < 4 * time.toNanos()) {
      long start = System.nanoTime();
      make(m);
      long elapsed = System.nanoTime() - start;
      spent += elapsed;
      if (elapsed * 2 <= time.toNanos()) {
        m = Math.min(2 * m, wanted);
        spent = 0;
      }
    }
    return m;
  }

  /** Compares some bytes of the first and a last coded block with products of the field. */
  private void verify(int maxBlocks) {
    int m = Math.min(maxBlocks, 5);
    make(m);
    for (int row : new int[] {0, m - 1}) {
      for (int column : new int[] {0, k / 2, k - 1}) {
        int expected = 0;
        for (int i = 0; i < n; i++) {
          int coefficient = coefficients.get(ValueLayout.JAVA_BYTE, (long) row * n + i) & 0xFF;
          int data = sources.get(ValueLayout.JAVA_BYTE, (long) i * k + column) & 0xFF;
          expected ^= FIELD.multiply(coefficient, data);
        }
        int actual =
            products.get(ValueLayout.JAVA_BYTE, (long) row * (k + PADDING) + column) & 0xFF;
        if (actual != expected) {
          throw new IllegalStateException(
              "wrong product at block %d, byte %d of %d×%d: %d instead of %d"
                  .formatted(row, column, n, k, actual, expected));
        }
      }
    }
  }

  @Override
  public void close() {
    resident.close();
    arena.close();
  }
}
