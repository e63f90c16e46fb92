package io.fieldstone.cuda;

import io.fieldstone.engine.Checksums;
import io.fieldstone.engine.Division;
import io.fieldstone.engine.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checksums on a GPU. {@code folding} divides on binary tensor cores, from compute capability 8.0
 * on; {@code pcrc}, {@code pcrc-reduction} and {@code pcrc-streams} are the PCRC paper's, whose
 * numbers may be given as {@link ChunkMethod} says. Tables of the divisors used last stay on the
 * GPU. Thread-safe.
 */
final class CudaChecksums implements Checksums {

  private static final String CHOSEN = "auto";
  private static final String FOLDING = "folding";

  private final String spec;
  private final Gpu gpu;
  private final Processor processor;
  private final TableCache<Divisor> foldingTables;
  private final TableCache<Gf2Modulus> betas;

  /**
   * The port.
   *
   * @param spec the engine's, for messages
   * @param processor divides what is not worth the way
   */
  CudaChecksums(String spec, Gpu gpu, Processor processor) {
    this.spec = spec;
    this.gpu = gpu;
    this.processor = processor;
    this.foldingTables = new TableCache<>(gpu, FoldingTables.maker());
    this.betas = new TableCache<>(gpu, ChunkDivider.maker());
  }

  @Override
  public List<String> methods(Divisor divisor) {
    List<String> names = new ArrayList<>(ChunkMethod.NAMES);
    if (gpu.kernels().hasFolding()) {
      names.add(FOLDING);
    }
    return List.copyOf(names);
  }

  /**
   * By {@link #methods the last method}, or the processor where that is faster, as {@link
   * ChosenDivision} says.
   */
  @Override
  public Division division(Divisor divisor) {
    boolean hasFolding = gpu.kernels().hasFolding();
    Division here = division(divisor, hasFolding ? FOLDING : ChunkMethod.REDUCTION);
    Division there = processor.engine().checksums().division(divisor);
    return new ChosenDivision(CHOSEN, gpu, here, there, hasFolding);
  }

  @Override
  public Division division(Divisor divisor, String method) {
    if (method.equals(CHOSEN)) {
      return division(divisor);
    }
    GpuMethod known =
        method(divisor, method)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "no method '%s' for %s on %s; there are: %s"
                        .formatted(method, divisor, spec, String.join(", ", methods(divisor)))));
    return new CudaDivision(gpu, divisor, method, known);
  }

  private Optional<GpuMethod> method(Divisor divisor, String method) {
    if (method.equals(FOLDING) && gpu.kernels().hasFolding()) {
      return Optional.of(new Folding(gpu, foldingTables, divisor));
    }
    return ChunkMethod.of(method).map(chunks -> new Chunks(gpu, betas, divisor, chunks));
  }
}
