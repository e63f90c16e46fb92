package io.fieldstone.cuda;

import io.fieldstone.cuda.checksums.CudaChecksums;
import io.fieldstone.cuda.checksums.CudaPolynomialSieve;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.CudaProducts;
import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.blocks.BlockStore;
import io.fieldstone.cuda.coding.blocks.CudaResidentBlocks;
import io.fieldstone.cuda.coding.decoding.CudaProgressiveElimination;
import io.fieldstone.cuda.coding.decoding.CudaSubstitutions;
import io.fieldstone.cuda.coding.decoding.ProgressiveKernel;
import io.fieldstone.cuda.coding.elimination.CudaEliminations;
import io.fieldstone.cuda.coding.elimination.InvertKernel;
import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.sorting.CudaSorts;
import io.fieldstone.cuda.stars.CudaStars;
import io.fieldstone.cuda.terrain.CudaLinesOfSight;
import io.fieldstone.cuda.transfer.CudaHostMemory;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.cuda.transfer.PinnedPages;
import io.fieldstone.cuda.weights.CudaLightSums;
import io.fieldstone.cuda.weights.CudaPairCounts;
import io.fieldstone.cuda.weights.CudaTrials;
import io.fieldstone.cuda.weights.CudaWalshCounts;
import io.fieldstone.cuda.weights.CudaWeightCounts;
import io.fieldstone.cuda.weights.CudaWeightTransforms;
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.terrain.LinesOfSight;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.util.Optional;

/** An engine on one GPU, with one product kernel or the fastest for each shape. */
final class CudaEngine implements Engine {

  private final String spec;
  private final int threads;
  private final String description;
  private final Gpu gpu;
  private final CpuFallback fallback;
  private final ProductKernels kernels;
  private final ProductKernelChoice choice;
  private final InvertKernel invert;
  private final NamedVariant.Progressive progressive;
  private final CudaSorts sorts;
  private final Ports ports;

  /**
   * Opens a GPU.
   *
   * @param variant the device and its kernels
   * @throws io.fieldstone.cuda.driver.CudaException if the driver fails to open the device
   */
  CudaEngine(CudaVariant variant, EngineOptions options) {
    this.spec = variant.spec();
    this.threads = options.threads();
    NamedVariant named = variant.named();
    Device device = variant.device();
    this.gpu = new Gpu(spec, device, variant.kernels(), options);
    this.fallback = new CpuFallback(spec, options);
    Eliminations eliminations;
    Substitutions substitutions;
    try {
      this.kernels = new ProductKernels(gpu);
      this.choice = named.products(kernels);
      this.invert = new InvertKernel(gpu.modules(), kernels::rankUpdate);
      ProgressiveKernel arrivals =
          new ProgressiveKernel(gpu.modules(), gpu.context().device().multiprocessors());
      substitutions =
          named.substitutions(kernels, () -> CudaSubstitutions.fastest(kernels, choice));
      eliminations =
          named.eliminations(kernels, new CudaEliminations(kernels, invert, choice, fallback));
      this.progressive =
          named.progressive(
              kernels, (field, n, k) -> onGpu(arrivals, field, n, k), Engine.super::progressive);
    } catch (RuntimeException | Error e) {
      gpu.close();
      throw e;
    }
    this.description =
        variant.description() + ", " + choice.description() + "; " + named.decoding();
    Products products = new CudaProducts(kernels, choice);
    Checksums checksums = new CudaChecksums(spec, gpu, fallback);
    this.sorts = new CudaSorts(spec, gpu, fallback, options);
    this.ports =
        Ports.of(Products.class, () -> products)
            .with(Eliminations.class, () -> eliminations)
            .with(Substitutions.class, () -> substitutions)
            .with(BlockMemory.class, () -> this::allocateBlocks)
            .with(WeightCounts.class, () -> new CudaWeightCounts(gpu))
            .with(PairCounts.class, () -> new CudaPairCounts(gpu))
            .with(WeightTransforms.class, () -> new CudaWeightTransforms(gpu, fallback))
            .with(LightSums.class, () -> new CudaLightSums(gpu))
            .with(InformationSetTrials.class, () -> new CudaTrials(gpu, fallback))
            .with(WalshCounts.class, () -> new CudaWalshCounts(gpu))
            .with(Checksums.class, () -> checksums)
            .with(PolynomialSieve.class, () -> new CudaPolynomialSieve(gpu))
            .with(Sorts.class, () -> sorts)
            .with(ByteMemory.class, () -> this::allocateResident)
            .with(Stars.class, () -> new CudaStars(spec, gpu, fallback))
            .with(LinesOfSight.class, () -> new CudaLinesOfSight(gpu))
            .with(Ceilings.class, () -> new CudaCeilings(gpu));
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public EngineKind kind() {
    return EngineKind.GPU;
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public String summary() {
    return "%s (%s)".formatted(spec, gpu.context().device().name());
  }

  @Override
  public <P> Optional<P> find(Class<P> port) {
    return ports.find(port);
  }

  @Override
  public ProgressiveElimination progressive(Gf256 field, int n, int k) {
    return progressive.open(field, n, k);
  }

  /**
   * Eliminates systems of up to {@value ProgressiveKernel#MAX_BLOCKS} blocks on the GPU alone
   * (Nuclei, Sec. IV-F 2).
   */
  private ProgressiveElimination onGpu(ProgressiveKernel arrivals, Gf256 field, int n, int k) {
    return n > ProgressiveKernel.MAX_BLOCKS
        ? Engine.super.progressive(field, n, k)
        : CudaProgressiveElimination.open(kernels, arrivals, field, n, k);
  }

  private ResidentBlocks allocateBlocks(Gf256 field, long count, int rows, int columns) {
    requireAtLeast0("count", count);
    requireAtLeast0("rows", rows);
    requireAtLeast0("columns", columns);
    return gpu.call(
        () -> "allocate %d of %d×%d".formatted(count, rows, columns),
        () -> {
          CudaProductKernel kernel = choice.forBlocks(kernels.tables(field), rows);
          long bytes = Math.multiplyExact(count, BlockStore.pitch(kernel, rows, columns));
          DeviceBuffer buffer = gpu.allocate(bytes);
          BlockStore store = new BlockStore(gpu, kernel, buffer, count, rows, columns);
          return new CudaResidentBlocks(kernels, invert, field, store);
        });
  }

  private ResidentBytes allocateResident(long bytes) {
    requireAtLeast0("bytes", bytes);
    return gpu.call(
        () -> "allocate " + bytes + " bytes", () -> CudaResidentBytes.allocate(gpu, bytes));
  }

  @Override
  public HostMemory allocateHost(long bytes) {
    requireAtLeast0("bytes", bytes);
    return gpu.call(
        () -> "allocate " + bytes + " bytes of pinned memory",
        () -> new CudaHostMemory(PinnedPages.allocate(gpu.context(), Math.max(1, bytes)), bytes));
  }

  private static void requireAtLeast0(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " " + value + " is negative");
    }
  }

  /** Loads the kernels by running each once: the driver loads a kernel at its first launch. */
  @Override
  public void warmUp(Gf256 field) {
    fallback.engine().warmUp(field);
    new KernelPreload(this, field).run();
  }

  @Override
  public void requireOpen() {
    gpu.requireOpen();
  }

  /**
   * Waits for running calls and frees all memory. Later calls of open resident memory throw.
   * Idempotent.
   */
  @Override
  public void close() {
    try {
      gpu.close();
    } finally {
      sorts.close();
      fallback.close();
    }
  }
}
