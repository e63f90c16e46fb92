package io.fieldstone.cpu.coding;

import io.fieldstone.concurrent.Deferred;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * Multiplies by words until there is enough work to pay for loading the native kernels; then by
 * these, or by kernels in Java if they are missing.
 */
public final class DeferredProductKernel implements ProductKernel {

  /** Multiply-accumulates that words do in the time of loading, before they are compiled. */
  private static final double LOAD_THRESHOLD = 1 << 23;

  private final WordKernel words;
  private final Deferred<ProductKernel> kernels;

  /**
   * Makes a kernel; nothing is loaded yet.
   *
   * @param withoutNative makes the kernel that is used if the native kernels are missing
   */
  public DeferredProductKernel(Gf256 field, Factory withoutNative) {
    words = new WordKernel(field);
    kernels =
        new Deferred<>(
            words,
            () ->
                NativeProductKernel.of(NativeLibrary.get(), field)
                    .orElseGet(() -> withoutNative.forField(field)),
            LOAD_THRESHOLD);
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

  /** Bases may be made before the kernel is chosen; the multiple matters for speed only. */
  @Override
  public int columnMultiple() {
    return kernels.ifMade().map(ProductKernel::columnMultiple).orElseGet(words::columnMultiple);
  }

  @Override
  public Optional<InversionKernel> inversion(double work) {
    return kernels.current(work).inversion(work);
  }

  @Override
  public Optional<BasisReduction> reduction(BasisReduction.Parts parts, Arena arena) {
    return kernels.ifMade().flatMap(made -> made.reduction(parts, arena));
  }

  @Override
  public void awaitCompiled() {
    kernels.faster().awaitCompiled();
  }

  @Override
  public void close() {
    kernels.ifMade().ifPresent(ProductKernel::close);
  }
}
