package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.NamedVariant;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Substitutions;
import java.util.function.Supplier;

/** The decoding methods of HPDS and Nuclei on a GPU. */
enum PaperDecoding implements NamedVariant {
  /** Threads divide the columns of a frame. */
  BASELINE("baseline", "pipeline codes decoded by columns (baseline of HPDS, Sec. 3.3)"),
  /** Threads divide the columns and the earlier frames. */
  HPDS("hpds", "pipeline codes decoded by rows and columns (HPDS, Sec. 3.3)"),
  /** The GPU reduces rows of vectors and payloads, and the CPU finds their pivots. */
  ASSISTED("assisted", "progressive decoding with CPU assistance (Nuclei, Sec. IV-F 1)"),
  /** Square systems are solved without inverses. */
  GAUSS_JORDAN("gauss-jordan", "buffered decoding by Gauss-Jordan elimination (Nuclei, Sec. IV-F)");

  private final String spec;
  private final String description;

  PaperDecoding(String spec, String description) {
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

  @Override
  public String decoding() {
    return description;
  }

  @Override
  public Substitutions substitutions(ProductKernels kernels, Supplier<Substitutions> fastest) {
    return switch (this) {
      case BASELINE ->
          new DirectSubstitutions(kernels, HpdsFrames.ByColumns.find(kernels.gpu().modules()));
      case HPDS ->
          new DirectSubstitutions(
              kernels, HpdsFrames.ByRowsAndColumns.find(kernels.gpu().modules()));
      case ASSISTED, GAUSS_JORDAN -> fastest.get();
    };
  }

  @Override
  public Eliminations eliminations(ProductKernels kernels, Eliminations fastest) {
    return this == GAUSS_JORDAN
        ? new GaussJordanEliminations(
            kernels, new GaussJordanKernels(kernels.gpu().modules()), fastest)
        : fastest;
  }

  @Override
  public Progressive progressive(ProductKernels kernels, Progressive fastest, Progressive onCores) {
    if (this != ASSISTED) {
      return fastest;
    }
    GaussJordanKernels steps = new GaussJordanKernels(kernels.gpu().modules());
    return (field, n, k) -> AssistedElimination.open(kernels, steps, field, n, k);
  }
}
