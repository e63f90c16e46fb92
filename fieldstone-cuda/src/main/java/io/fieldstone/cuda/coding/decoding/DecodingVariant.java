package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.NamedVariant;
import io.fieldstone.engine.coding.Substitutions;
import java.util.List;

/**
 * How an engine decodes: as fast as it can, or as the papers do, which can be asked for by name.
 * Products are the same.
 */
public enum DecodingVariant implements NamedVariant {
  /** What an engine does unasked. */
  FASTEST("fastest", "pipeline codes by inverses, progressive decoding on the GPU"),
  /** Threads share the columns of a frame. */
  BASELINE("baseline", "pipeline codes decoded by columns (baseline of HPDS, Sec. 3.3)"),
  /** Threads share the columns and the earlier frames. */
  HPDS("hpds", "pipeline codes decoded by rows and columns (HPDS, Sec. 3.3)"),
  /** The processor eliminates coding vectors, the GPU combines payloads. */
  ASSISTED("assisted", "progressive decoding with CPU assistance (Nuclei, Sec. IV-F 1)");

  /** Those that are asked for by name. */
  public static final List<DecodingVariant> NAMED = List.of(BASELINE, HPDS, ASSISTED);

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

  /** Solves triangular systems in this way. */
  public Substitutions substitutions(ProductKernels kernels, ProductKernelChoice choice) {
    KernelModules modules = kernels.gpu().modules();
    return switch (this) {
      case FASTEST, ASSISTED ->
          new CudaSubstitutions(kernels, choice, FrameKernel.BySlices.find(modules));
      case BASELINE ->
          new DirectSubstitutions(
              kernels, GenerationKernel.baseline(modules), FrameKernel.ByColumns.find(modules));
      case HPDS ->
          new DirectSubstitutions(
              kernels, GenerationKernel.hpds(modules), FrameKernel.ByRowsAndColumns.find(modules));
    };
  }
}
