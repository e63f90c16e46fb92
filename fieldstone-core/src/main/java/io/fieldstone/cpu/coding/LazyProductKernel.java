package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import io.fieldstone.natives.NativeLibrary;
import java.util.concurrent.atomic.DoubleAdder;
import org.jspecify.annotations.Nullable;

/**
 * Multiplies by words until there is enough work to pay for loading the native kernels; then by
 * these, or by kernels in Java if they are missing.
 */
public final class LazyProductKernel implements ProductKernel {

  /** Multiply-accumulates that words do in the time of loading, before they are compiled. */
  private static final double LOAD_THRESHOLD = 1 << 23;

  private final Gf256 field;
  private final Factory withoutNative;
  private final WordKernel words;
  private final DoubleAdder wordsWork = new DoubleAdder();

  /** Guarded by this for writing. */
  private volatile @Nullable ProductKernel chosen;

  /**
   * @param withoutNative makes the kernel that is used if the native kernels are missing
   */
  public LazyProductKernel(Gf256 field, Factory withoutNative) {
    this.field = field;
    this.withoutNative = withoutNative;
    this.words = new WordKernel(field);
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
    forWork((double) m * n * columns)
        .multiply(m, n, columns, coefficients, sources, products, accumulate);
  }

  /** Returns the kernel for the next product, of a number of multiply-accumulates. */
  private ProductKernel forWork(double work) {
    ProductKernel kernel = chosen;
    if (kernel != null) {
      return kernel;
    }
    wordsWork.add(work);
    return wordsWork.sum() < LOAD_THRESHOLD ? words : choose();
  }

  private synchronized ProductKernel choose() {
    ProductKernel kernel = chosen;
    if (kernel == null) {
      kernel =
          NativeProductKernel.of(NativeLibrary.get(), field)
              .orElseGet(() -> withoutNative.forField(field));
      chosen = kernel;
    }
    return kernel;
  }

  /** Bases may be made before the kernel is chosen; the multiple matters for speed only. */
  @Override
  public int columnMultiple() {
    ProductKernel kernel = chosen;
    return kernel == null ? words.columnMultiple() : kernel.columnMultiple();
  }

  @Override
  public void awaitCompiled() {
    choose().awaitCompiled();
  }

  @Override
  public synchronized void close() {
    if (chosen != null) {
      chosen.close();
    }
  }
}
