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
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.util.Optional;

/** An engine on the cores of this machine that uses one kind of kernel. */
final class CpuEngine implements Engine {

  /** Spin time of idle threads: about one wake-up, a tenth of a product of 128 blocks of 4 KiB. */
  private static final long SPIN_NS = 50_000;

  private final CpuVariant variant;
  private final TaskPool workers;
  private final KernelsByField kernels;
  private final ScratchPool scratchPool = new ScratchPool();
  private final Lazy<CodeWeights> codeWeights;
  private final CpuChecksums checksums;
  private final CpuSorts sorts;
  private final Lazy<CpuStars> stars;
  private final Ports ports;

  CpuEngine(CpuVariant variant, int threads) {
    this.variant = variant;
    this.workers = new TaskPool("fieldstone-cpu", threads - 1, SPIN_NS);
    this.kernels = new KernelsByField(variant.kernels());
    this.codeWeights = new Lazy<>(() -> variant.codeWeights().of(workers));
    this.checksums = new CpuChecksums(this, variant.checksums(), workers);
    this.sorts = new CpuSorts(this, variant.sorts(), workers);
    this.stars = new Lazy<>(() -> new CpuStars(variant.spec(), variant.stars().get(), workers));
    this.ports = ports();
  }

  /** The engine opens fast: a port is made when it is first asked for, or holds nothing yet. */
  private Ports ports() {
    Lazy<Coding> coding = new Lazy<>(NativeAccess.isDenied() ? this::plainCoding : this::coding);
    Ports common =
        Ports.of(Products.class, () -> coding.get().products())
            .with(Eliminations.class, () -> coding.get().eliminations())
            .with(Substitutions.class, () -> coding.get().substitutions())
            .with(BlockMemory.class, () -> this::allocateBlocks)
            .with(WeightCounts.class, () -> codeWeights.get().weightCounts())
            .with(PairCounts.class, () -> codeWeights.get().pairCounts())
            .with(WeightTransforms.class, () -> codeWeights.get().weightTransforms())
            .with(Checksums.class, () -> checksums)
            .with(Sorts.class, () -> sorts)
            .with(ByteMemory.class, () -> bytes -> new CpuResidentBytes(this, bytes))
            .with(Stars.class, stars);
    return variant.spec().equals(CpuVariant.FASTEST) && !NativeAccess.isDenied()
        ? common.with(Ceilings.class, () -> new AffineCeiling(workers))
        : common;
  }

  /** The ports of network coding, which share kernels. */
  private record Coding(
      Products products, Eliminations eliminations, Substitutions substitutions) {}

  private Coding coding() {
    CoefficientWriter drawing = new CoefficientWriter(workers);
    CpuProducts products = new CpuProducts(kernels, workers, drawing, scratchPool);
    CpuInversions inversions =
        new CpuInversions(kernels, variant.bases().apply(kernels), workers, scratchPool);
    return new Coding(
        products,
        new CpuSystems(inversions, products, drawing, scratchPool),
        new CpuSubstitutions(this, variant.substitutions().of(kernels, scratchPool), workers));
  }

  /** Returns the ports where the JVM denies native access. */
  private Coding plainCoding() {
    Products products =
        variant.spec().equals(CpuVariant.ORACLE) ? PlainProducts.tables() : PlainProducts.words();
    return new Coding(products, new PlainEliminations(products), new PlainSubstitutions(this));
  }

  private ResidentBlocks allocateBlocks(Gf256 field, long count, int rows, int columns) {
    return new CpuResidentBlocks(this, field, count, rows, columns);
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
  public <P> Optional<P> find(Class<P> port) {
    return ports.find(port);
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
