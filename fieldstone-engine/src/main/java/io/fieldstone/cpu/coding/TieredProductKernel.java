package io.fieldstone.cpu.coding;

import io.fieldstone.concurrent.Tiered;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/** Multiplies by words until the vector kernel has been compiled. */
public final class TieredProductKernel implements ProductKernel {

  /** Minimum speed of the vector kernel relative to words; compiled, it is 15 or more. */
  private static final int MIN_SPEEDUP = 4;

  /**
   * Multiply-accumulates by words after which the warm-up starts. Words that are not compiled
   * either need about a second for them, as long as the warm-up; and the JVM waits at its exit for
   * a compilation in progress. So a job ends without it if it is as small as a file of 1 MB.
   */
  private static final double WARM_UP_THRESHOLD = 1 << 27;

  private final Tiered<ProductKernel> kernels;

  public TieredProductKernel(Gf256 field) {
    kernels =
        new Tiered<>(
            "words",
            new WordKernel(field),
            new VectorKernel(field),
            MIN_SPEEDUP,
            WARM_UP_THRESHOLD,
            Trial::new);
  }

  @Override
  public void multiply(
      int m,
      int n,
      int columns,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate) {
    kernels
        .current((double) m * n * columns)
        .multiply(m, n, columns, coefficients, sources, products, accumulate);
  }

  @Override
  public int columnMultiple() {
    return VectorKernel.STRIP_COLUMNS;
  }

  @Override
  public void awaitCompiled() {
    kernels.awaitCompiled();
  }

  @Override
  public void close() {
    kernels.close();
  }

  /** Small products that together run every loop of the vector kernel. */
  private static final class Trial implements Tiered.Trial<ProductKernel> {

    private static final int ROWS = 4;
    private static final int SOURCES = 16;
    private static final int STRIP = VectorKernel.STRIP_COLUMNS;
    private static final int TAIL = STRIP / 4 + 1;

    private final MemorySegment memory =
        Arena.ofAuto().allocate((long) (ROWS + SOURCES) * STRIP + ROWS * SOURCES);
    private final Rows sources = Rows.of(memory, 0, STRIP);
    private final Rows products = sources.from(SOURCES, 0);
    private final Rows coefficients = new Rows(products.at(ROWS), SOURCES);

    Trial() {
      for (long at = 0; at < memory.byteSize(); at++) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 167 >> 3));
      }
    }

    @Override
    public void callLoops(ProductKernel kernel) {
      run(kernel, 1);
    }

    @Override
    public void run(ProductKernel kernel) {
      run(kernel, SOURCES);
    }

    private void run(ProductKernel kernel, int n) {
      try {
        kernel.multiply(ROWS, n, STRIP, coefficients, sources, products, false);
        kernel.multiply(1, n, STRIP, coefficients, sources, products, false);
        kernel.multiply(ROWS, n, TAIL, coefficients, sources, products, true);
        kernel.multiply(1, n, TAIL, coefficients, sources, products, true);
      } finally {
        Reference.reachabilityFence(memory);
      }
    }
  }
}
