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
 * Computes checksums on a GPU. {@code folding} divides on binary tensor cores, from compute
 * capability 8.0 on. {@code pcrc}, {@code pcrc-reduction} and {@code pcrc-streams} are the methods
 * of the PCRC paper, with the parameters of {@link ChunkMethod}. The tables of recent divisors stay
 * on the GPU. Thread-safe.
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
   * Creates the port.
   *
   * @param spec the name of the engine, for messages
   * @param fallback divides short messages in host memory
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
   * Returns a division by the last of {@link #methods}, or by the CPU where that is faster: {@link
   * AutoDivision}.
   */
  @Override
  public Division division(Divisor divisor) {
    boolean hasFolding = gpu.hasBinaryTensorCores();
    Division gpuDivision = division(divisor, hasFolding ? FOLDING : ChunkMethod.REDUCTION);
    Division cpuDivision = fallback.engine().checksums().division(divisor);
    return new AutoDivision(Methods.AUTO, gpu, gpuDivision, cpuDivision, hasFolding);
  }

  @Override
  public Division division(Divisor divisor, String method) {
    if (method.equals(Methods.AUTO)) {
      return division(divisor);
    }
    Optional<ChunkMethod> chunkMethod = ChunkMethod.of(method);
    if (chunkMethod.isPresent()) {
      return new ChunkDivision(gpu, divisor, chunkMethod.get(), betas);
    }
    Methods.require(method, divisor + " on " + spec, methods(divisor));
    CudaFoldingKernel kernel =
        foldings.computeIfAbsent(
            FoldingTables.tiles(divisor), tiles -> CudaFoldingKernel.find(gpu, tiles));
    return new FoldingDivision(gpu, divisor, method, kernel, foldingTables);
  }
}
