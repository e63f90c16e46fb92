package io.fieldstone.cpu;

import io.fieldstone.concurrent.Lazy;
import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.checksums.CpuChecksums;
import io.fieldstone.cpu.coding.AffineCeiling;
import io.fieldstone.cpu.coding.CoefficientWriter;
import io.fieldstone.cpu.coding.CpuInversions;
import io.fieldstone.cpu.coding.CpuProducts;
import io.fieldstone.cpu.coding.CpuResidentBlocks;
import io.fieldstone.cpu.coding.CpuSubstitutions;
import io.fieldstone.cpu.coding.CpuSystems;
import io.fieldstone.cpu.coding.KernelsByField;
import io.fieldstone.cpu.coding.PlainEliminations;
import io.fieldstone.cpu.coding.PlainProducts;
import io.fieldstone.cpu.coding.PlainSubstitutions;
import io.fieldstone.cpu.execution.CpuResidentBytes;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.sorting.CpuSorts;
import io.fieldstone.cpu.stars.CpuStars;
import io.fieldstone.cpu.weights.CodeWeights;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.util.List;

/** An engine on the cores of this machine that uses one kind of kernel. */
final class CpuEngine implements Engine {

  /** Spin time of idle threads: about one wake-up, a tenth of a product of 128 blocks of 4 KiB. */
  private static final long SPIN_NS = 50_000;

  private final CpuVariant variant;
  private final TaskPool workers;
  private final KernelsByField kernels;
  private final ScratchPool scratchPool = new ScratchPool();
  private final Products products;
  private final Eliminations eliminations;
  private final Substitutions substitutions;
  private final Lazy<CodeWeights> codeWeights;
  private final CpuChecksums checksums;
  private final CpuSorts sorts;
  private final Lazy<CpuStars> stars;

  CpuEngine(CpuVariant variant, int threads) {
    this.variant = variant;
    this.workers = new TaskPool("fieldstone-cpu", threads - 1, SPIN_NS);
    this.kernels = new KernelsByField(variant.kernels());
    if (NativeAccess.isDenied()) {
      this.products =
          variant.spec().equals(CpuVariant.ORACLE) ? PlainProducts.tables() : PlainProducts.words();
      this.eliminations = new PlainEliminations(products);
      this.substitutions = new PlainSubstitutions(this);
    } else {
      CoefficientWriter drawing = new CoefficientWriter(workers);
      CpuProducts split = new CpuProducts(kernels, workers, drawing, scratchPool);
      CpuInversions inversions =
          new CpuInversions(kernels, variant.bases().apply(kernels), workers, scratchPool);
      this.products = split;
      this.eliminations = new CpuSystems(inversions, split, drawing, scratchPool);
      this.substitutions =
          new CpuSubstitutions(this, variant.substitutions().of(kernels, scratchPool), workers);
    }
    this.codeWeights = new Lazy<>(() -> variant.codeWeights().of(workers));
    this.checksums = new CpuChecksums(this, variant.checksums(), workers);
    this.sorts = new CpuSorts(this, variant.sorts(), workers);
    this.stars = new Lazy<>(() -> new CpuStars(variant.spec(), variant.stars().get(), workers));
  }

  @Override
  public String spec() {
    return variant.spec();
  }

  @Override
  public EngineKind kind() {
    return EngineKind.CPU;
  }

  @Override
  public String description() {
    int threads = workers.threads();
    return variant.description().get() + ", " + threads + (threads == 1 ? " thread" : " threads");
  }

  @Override
  public int threads() {
    return workers.threads();
  }

  @Override
  public <T, X extends Throwable> T onCallingThread(ScopedValue.CallableOp<? extends T, X> body)
      throws X {
    return workers.onCallingThread(body);
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
    return codeWeights.get().weightCounts();
  }

  @Override
  public PairCounts pairCounts() {
    return codeWeights.get().pairCounts();
  }

  @Override
  public WeightTransforms weightTransforms() {
    return codeWeights.get().weightTransforms();
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
    return stars.get();
  }

  @Override
  public ResidentBlocks allocate(Gf256 field, long count, int rows, int columns) {
    return new CpuResidentBlocks(this, field, count, rows, columns);
  }

  @Override
  public ResidentBytes allocateBytes(long bytes) {
    return new CpuResidentBytes(this, bytes);
  }

  @Override
  public List<Ceiling> ceilings() {
    return variant.spec().equals(CpuVariant.FASTEST) && !NativeAccess.isDenied()
        ? AffineCeiling.measure(workers)
        : List.of();
  }

  @Override
  public void warmUp(Gf256 field) {
    kernels.forField(field).awaitCompiled();
  }

  @Override
  public void requireOpen() {
    workers.requireOpen();
  }

  @Override
  public void close() {
    kernels.close();
    stars.ifMade().ifPresent(CpuStars::close);
    checksums.close();
    workers.close();
    scratchPool.close();
    sorts.close();
  }
}
