package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.elimination.GaussJordanKernels;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.NamedVariant;
import io.fieldstone.engine.coding.Substitutions;
import java.util.List;
import java.util.Optional;

/**
 * The decoding methods of an engine: the fastest, or a paper's, selected by name. All use the same
 * products.
 */
public enum DecodingVariant implements NamedVariant {
  /** The default. */
  FASTEST("fastest", "pipeline codes by inverses, progressive decoding on the GPU"),
  /** Threads divide the columns of a frame. */
  BASELINE("baseline", "pipeline codes decoded by columns (baseline of HPDS, Sec. 3.3)"),
  /** Threads divide the columns and the earlier frames. */
  HPDS("hpds", "pipeline codes decoded by rows and columns (HPDS, Sec. 3.3)"),
  /** The GPU reduces rows of vectors and payloads, and the CPU finds their pivots. */
  ASSISTED("assisted", "progressive decoding with CPU assistance (Nuclei, Sec. IV-F 1)"),
  /** The CPU eliminates coding vectors, and the GPU multiplies payloads when they are read. */
  CPU_VECTORS("cpu-vectors", "progressive decoding with the vectors on the CPU"),
  /** Square systems are solved without inverses. */
  GAUSS_JORDAN("gauss-jordan", "buffered decoding by Gauss-Jordan elimination (Nuclei, Sec. IV-F)");

  /** The methods that users select by name. */
  public static final List<DecodingVariant> NAMED =
      List.of(BASELINE, HPDS, ASSISTED, CPU_VECTORS, GAUSS_JORDAN);

  private final String spec;
  private final String description;

  DecodingVariant(String spec, String description) {
    this.spec = spec;
    this.description = description;
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public String description() {
    return description;
  }

  /** Returns the solver of triangular systems of this method. */
  public Substitutions substitutions(ProductKernels kernels, ProductKernelChoice choice) {
    KernelModules modules = kernels.gpu().modules();
    return switch (this) {
      case FASTEST, ASSISTED, CPU_VECTORS, GAUSS_JORDAN ->
          new CudaSubstitutions(kernels, choice, FrameKernel.BySlices.find(modules));
      case BASELINE -> new DirectSubstitutions(kernels, FrameKernel.ByColumns.find(modules));
      case HPDS -> new DirectSubstitutions(kernels, FrameKernel.ByRowsAndColumns.find(modules));
    };
  }

  /** Loads the steps of Gauss–Jordan elimination; empty if this method does not use them. */
  public Optional<GaussJordanKernels> gaussJordan(KernelModules modules) {
    return this == ASSISTED || this == GAUSS_JORDAN
        ? Optional.of(new GaussJordanKernels(modules))
        : Optional.empty();
  }
}
