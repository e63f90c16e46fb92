package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Checksums;
import io.fieldstone.engine.Eliminations;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.HostMemory;
import io.fieldstone.engine.PairCounts;
import io.fieldstone.engine.Products;
import io.fieldstone.engine.ProgressiveElimination;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.engine.ResidentBytes;
import io.fieldstone.engine.Sorts;
import io.fieldstone.engine.Stars;
import io.fieldstone.engine.Substitutions;
import io.fieldstone.engine.WeightCounts;
import io.fieldstone.engine.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.util.List;

/** One GPU with one kind of kernel, or the best for each shape. */
final class CudaEngine implements Engine {

  private final String spec;
  private final String description;
  private final Gpu gpu;
  private final Processor processor;
  private final Kernels kernels;
  private final KernelChoice choice;
  private final InvertKernel invert;
  private final ProgressiveKernel progressive;
  private final CudaProducts products;
  private final CudaEliminations eliminations;
  private final CudaChecksums checksums;
  private final CudaSorts sorts;
  private final DecodingKind decoding;
  private final Substitutions substitutions;

  /**
   * Opens a GPU.
   *
   * @param variant the device, and which kernel
   * @throws io.fieldstone.cuda.driver.CudaException if the driver cannot
   */
  CudaEngine(CudaVariant variant, EngineOptions options) {
    this.spec = variant.spec();
    Device device = variant.device();
    this.gpu = new Gpu(spec, device, variant.kernels(), options);
    try {
      this.kernels = new Kernels(gpu);
      this.choice = variant.choice(kernels);
      this.invert = new InvertKernel(gpu.context(), gpu.modules(), kernels.tallProduct());
      this.progressive =
          new ProgressiveKernel(gpu.modules(), gpu.context().device().multiprocessors());
      this.substitutions = variant.decoding().substitutions(kernels, choice);
    } catch (RuntimeException | Error e) {
      gpu.close();
      throw e;
    }
    this.processor = new Processor(spec, options);
    this.decoding = variant.decoding();
    this.description =
        variant.description() + ", " + choice.description() + "; " + decoding.description();
    this.products = new CudaProducts(kernels, choice);
    this.eliminations = new CudaEliminations(kernels, invert, choice, processor);
    this.checksums = new CudaChecksums(spec, gpu, processor);
    this.sorts = new CudaSorts(spec, gpu, processor, options);
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
  public String description() {
    return description;
  }

  @Override
  public String summary() {
    return "%s (%s)".formatted(spec, gpu.context().device().name());
  }

  @Override
  public Products products() {
    return products;
  }

  @Override
  public Eliminations eliminations() {
    return eliminations;
  }

  @Override
  public Substitutions substitutions() {
    return substitutions;
  }

  @Override
  public WeightCounts weightCounts() {
    return new CudaWeightCounts(gpu);
  }

  @Override
  public PairCounts pairCounts() {
    return new CudaPairCounts(gpu);
  }

  @Override
  public WeightTransforms weightTransforms() {
    return new CudaWeightTransforms(gpu, processor);
  }

  /**
   * Reduces systems of up to {@value ProgressiveKernel#MOST_BLOCKS} blocks on the GPU alone
   * (Nuclei, Sec. IV-F 2), unless the engine is asked for the assistance of the processor.
   */
  @Override
  public ProgressiveElimination progressive(Gf256 field, int n, int k) {
    return decoding == DecodingKind.ASSISTED || n > ProgressiveKernel.MOST_BLOCKS
        ? Engine.super.progressive(field, n, k)
        : CudaProgressiveElimination.begin(kernels, progressive, field, n, k);
  }

  @Override
  public ResidentBlocks allocate(Gf256 field, long count, int rows, int columns) {
    requireAtLeast0("count", count);
    requireAtLeast0("rows", rows);
    requireAtLeast0("columns", columns);
    return gpu.call(
        () -> "allocate %d of %d×%d".formatted(count, rows, columns),
        () -> {
          ProductKernel kernel = choice.forBlocks(kernels.tables(field), rows);
          long bytes = Math.multiplyExact(count, BlockStore.pitch(kernel, rows, columns));
          DeviceBuffer buffer = gpu.allocate(bytes);
          BlockStore store = new BlockStore(gpu, kernel, buffer, count, rows, columns);
          return new CudaResidentBlocks(kernels, invert, field, store);
        });
  }

  @Override
  public Checksums checksums() {
    return checksums;
  }

  @Override
  public Sorts sorts() {
    return sorts;
  }

  @Override
  public Stars stars() {
    return new CudaStars(spec, gpu, processor);
  }

  @Override
  public ResidentBytes allocateBytes(long bytes) {
    requireAtLeast0("bytes", bytes);
    return gpu.call(
        () -> "allocate " + bytes + " bytes", () -> CudaResidentBytes.allocate(gpu, bytes));
  }

  @Override
  public HostMemory allocateHost(long bytes) {
    requireAtLeast0("bytes", bytes);
    return gpu.call(
        () -> "allocate " + bytes + " bytes of pinned memory",
        () -> new CudaHostMemory(gpu.context().allocatePinned(Math.max(1, bytes)), bytes));
  }

  private static void requireAtLeast0(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " " + value + " is less than 0");
    }
  }

  @Override
  public List<Ceiling> ceilings() {
    return gpu.call(() -> "measure ceilings", () -> new CudaCeilings(gpu).measure());
  }

  /** Loads the kernels onto the GPU, which the driver does when they are first launched. */
  @Override
  public void warmUp(Gf256 field) {
    processor.engine().warmUp(field);
    new WarmUp(this, field).run();
  }

  /**
   * Waits for calls under way and frees all memory, also that of blocks that are still open: their
   * calls throw from now on. Idempotent.
   */
  @Override
  public void close() {
    gpu.close();
    sorts.close();
    processor.close();
  }
}
