package io.fieldstone.cpu;

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
import io.fieldstone.cpu.terrain.CpuLinesOfSight;
import io.fieldstone.cpu.weights.CodeWeights;
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.ArenaGroup;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.memory.NativeAccess;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An engine on the cores of this machine that uses one kind of kernel. */
final class CpuEngine implements Engine {

  /** Spin time of idle threads: about one wake-up, a tenth of a product of 128 blocks of 4 KiB. */
  private static final long SPIN_NS = 50_000;

  private static final Set<Class<?>> CODING =
      Set.of(Products.class, Eliminations.class, Substitutions.class);

  private static final Set<Class<?>> WEIGHTS =
      Set.of(
          WeightCounts.class,
          PairCounts.class,
          WeightTransforms.class,
          LightSums.class,
          InformationSetTrials.class,
          WalshCounts.class);

  private final CpuVariant variant;
  private final TaskPool workers;
  private final KernelsByField kernels;
  private final ScratchPool scratchPool = new ScratchPool();

  /** Resident memory, and that of progressive eliminations. */
  private final ArenaGroup arenas = new ArenaGroup();

  /** The ports that have been asked for. */
  private final Map<Class<?>, Object> ports = new ConcurrentHashMap<>();

  CpuEngine(CpuVariant variant, int threads) {
    this.variant = variant;
    this.workers = new TaskPool("fieldstone-cpu", threads - 1, SPIN_NS);
    this.kernels = new KernelsByField(variant);
  }

  @Override
  public <P> Optional<P> find(Class<P> port) {
    if (!ports.containsKey(port)) {
      make(port);
    }
    return Optional.ofNullable(port.cast(ports.get(port)));
  }

  /**
   * Makes a port, and those that share its kernels. Not with {@link io.fieldstone.engine.Ports},
   * for which an engine has a lambda for each port: see {@link CpuVariant}.
   */
  private synchronized void make(Class<?> port) {
    if (ports.containsKey(port)) {
      return;
    }
    if (port.equals(Checksums.class)) {
      ports.put(port, new CpuChecksums(this, variant.checksums(), workers));
    } else if (port.equals(PolynomialSieve.class)) {
      ports.put(port, variant.polynomialSieve(workers));
    } else if (port.equals(Sorts.class)) {
      ports.put(port, new CpuSorts(this, variant.sorts(), workers));
    } else if (port.equals(Stars.class)) {
      ports.put(port, new CpuStars(variant.spec(), variant.stars(), workers));
    } else if (port.equals(LinesOfSight.class)) {
      ports.put(port, new CpuLinesOfSight(workers, variant.hasVectorSight()));
    } else if (port.equals(ByteMemory.class)) {
      ports.put(port, (ByteMemory) bytes -> new CpuResidentBytes(this, arenas.open(), bytes));
    } else if (port.equals(BlockMemory.class)) {
      ports.put(port, (BlockMemory) this::allocateBlocks);
    } else if (port.equals(Ceilings.class) && hasCeiling()) {
      ports.put(port, new AffineCeiling(workers));
    } else if (CODING.contains(port)) {
      makeCoding();
    } else if (WEIGHTS.contains(port)) {
      CodeWeights weights = variant.codeWeights(workers);
      ports.put(WeightCounts.class, weights.weightCounts());
      ports.put(PairCounts.class, weights.pairCounts());
      ports.put(WeightTransforms.class, weights.weightTransforms());
      ports.put(LightSums.class, weights.lightSums());
      ports.put(InformationSetTrials.class, weights.informationSetTrials());
      ports.put(WalshCounts.class, weights.walshCounts());
    }
  }

  private void makeCoding() {
    if (NativeAccess.isDenied()) {
      Products products =
          variant.spec().equals(CpuVariant.ORACLE) ? PlainProducts.tables() : PlainProducts.words();
      ports.put(Products.class, products);
      ports.put(Eliminations.class, new PlainEliminations(products));
      ports.put(Substitutions.class, new PlainSubstitutions(this));
      return;
    }
    CoefficientWriter drawing = new CoefficientWriter(workers);
    CpuProducts products = new CpuProducts(kernels, workers, drawing, scratchPool);
    CpuInversions inversions =
        new CpuInversions(kernels, variant.bases(kernels), workers, scratchPool, arenas);
    ports.put(Products.class, products);
    ports.put(Eliminations.class, new CpuSystems(inversions, products, drawing, scratchPool));
    ports.put(
        Substitutions.class,
        new CpuSubstitutions(this, variant.substitutions(kernels, scratchPool), workers));
  }

  private boolean hasCeiling() {
    return variant.spec().equals(CpuVariant.FASTEST) && !NativeAccess.isDenied();
  }

  private ResidentBlocks allocateBlocks(Gf256 field, long count, int rows, int columns) {
    return new CpuResidentBlocks(this, arenas.open(), field, count, rows, columns);
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
    return variant.description() + ", " + threads + (threads == 1 ? " thread" : " threads");
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
    if (ports.get(Stars.class) instanceof CpuStars stars) {
      stars.close();
    }
    if (ports.get(LinesOfSight.class) instanceof CpuLinesOfSight sight) {
      sight.close();
    }
    if (ports.get(Checksums.class) instanceof CpuChecksums checksums) {
      checksums.close();
    }
    workers.close();
    scratchPool.close();
    arenas.close();
    if (ports.get(Sorts.class) instanceof CpuSorts sorts) {
      sorts.close();
    }
  }
}
