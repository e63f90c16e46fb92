package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TableCache;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checksums on a GPU. {@code folding} divides on binary tensor cores, from compute capability 8.0
 * on; {@code pcrc}, {@code pcrc-reduction} and {@code pcrc-streams} are the PCRC paper's, whose
 * numbers may be given as {@link ChunkMethod} says. Tables of the divisors used last stay on the
 * GPU. Thread-safe.
 */
public final class CudaChecksums implements Checksums {

  private static final String FOLDING = "folding";

  private final String spec;
  private final Gpu gpu;
  private final CpuFallback fallback;
  private final Map<Integer, CudaFoldingKernel> foldings = new ConcurrentHashMap<>();
  private final TableCache<Divisor> foldingTables;
  private final TableCache<Gf2Modulus> betas;

  /**
   * The port.
   *
   * @param spec the engine's, for messages
   * @param fallback divides what is not worth the way
   */
  public CudaChecksums(String spec, Gpu gpu, CpuFallback fallback) {
    this.spec = spec;
    this.gpu = gpu;
    this.fallback = fallback;
    this.foldingTables = new TableCache<>(gpu, FoldingTables.maker());
    this.betas = new TableCache<>(gpu, ChunkDivider.maker());
  }

  @Override
  public List<String> methods(Divisor divisor) {
    List<String> names = new ArrayList<>(ChunkMethod.NAMES);
    if (gpu.hasBinaryTensorCores()) {
      names.add(FOLDING);
    }
    return List.copyOf(names);
  }

  /**
   * By {@link #methods the last method}, or the processor where that is faster, as {@link
   * AutoDivision} says.
   */
  @Override
  public Division division(Divisor divisor) {
    boolean hasFolding = gpu.hasBinaryTensorCores();
    Division here = division(divisor, hasFolding ? FOLDING : ChunkMethod.REDUCTION);
    Division there = fallback.engine().checksums().division(divisor);
    return new AutoDivision(Methods.AUTO, gpu, here, there, hasFolding);
  }

  @Override
  public Division division(Divisor divisor, String method) {
    if (method.equals(Methods.AUTO)) {
      return division(divisor);
    }
    Optional<ChunkMethod> chunks = ChunkMethod.of(method); // its name may have parameters
    if (chunks.isPresent()) {
      return new ChunkDivision(gpu, divisor, chunks.orElseThrow(), betas);
    }
    Methods.require(method, divisor + " on " + spec, methods(divisor));
    CudaFoldingKernel kernel =
        foldings.computeIfAbsent(
            FoldingTables.tiles(divisor), tiles -> CudaFoldingKernel.find(gpu, tiles));
    return new FoldingDivision(gpu, divisor, method, kernel, foldingTables);
  }
}
