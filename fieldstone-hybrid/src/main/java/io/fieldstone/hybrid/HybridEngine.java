package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.MemoryPreconditions;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Several engines as one, which owns them.
 *
 * <p>Operations on single rows are not split: vectors are eliminated and frames solved on the CPU,
 * if it is a part. So progressive elimination is Nuclei's with CPU assistance (Sec. IV-F 1):
 * vectors on the CPU, payloads resident on every part.
 */
final class HybridEngine implements Engine {

  /**
   * Spin time of idle threads. Waking a parked thread takes tens of microseconds, and a millisecond
   * on virtual processors, which exceeds the time of many slices on a GPU. With few processors, a
   * spinning thread would displace a working one.
   */
  private static final long SPIN_NS =
      Runtime.getRuntime().availableProcessors() < 4 ? 0 : 1_000_000;

  /** The ports whose work the {@link #preferred} parts do, or the first of them. */
  private static final Set<Class<?>> OF_SOME_PARTS =
      Set.of(
          WeightCounts.class,
          WeightTransforms.class,
          WalshCounts.class,
          PolynomialSieve.class,
          Sorts.class,
          Stars.class,
          LinesOfSight.class);

  private final String spec;
  private final List<Engine> parts;
  private final SplitRule rule;
  private final TaskPool threads = new TaskPool("fieldstone-hybrid", TaskPool.UNLIMITED, SPIN_NS);
  private final Dispatcher dispatcher;
  private final Ports ports;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Takes over its parts.
   *
   * @param parts at least two; exactly two if the rule gives a share
   */
  HybridEngine(String spec, List<Engine> parts, SplitRule rule) {
    this.spec = spec;
    this.parts = List.copyOf(parts);
    this.rule = rule;
    this.dispatcher = new Dispatcher(parts.size(), threads, rates());
    this.ports = ports();
  }

  private Ports ports() {
    Engine rowByRow = firstPart(part -> part.kind() == EngineKind.CPU);
    return Ports.of(Products.class, () -> new HybridProducts(parts, dispatcher, rule))
        .with(
            Eliminations.class,
            () -> new HybridEliminations(parts, dispatcher, rule, rowByRow.eliminations()))
        .with(Substitutions.class, () -> new HybridSubstitutions(this, rowByRow.substitutions()))
        .with(BlockMemory.class, () -> this::allocateBlocks)
        .with(WeightCounts.class, () -> preferred(WeightCounts.class).getFirst().weightCounts())
        .with(PairCounts.class, () -> new HybridPairCounts(parts, threads))
        .with(
            WeightTransforms.class,
            () -> new HybridTransforms(preferred(WeightTransforms.class), threads))
        .with(LightSums.class, () -> new HybridLightSums(parts, threads))
        .with(InformationSetTrials.class, () -> new HybridTrials(parts, threads))
        .with(WalshCounts.class, () -> preferred(WalshCounts.class).getFirst().walshCounts())
        .with(Checksums.class, () -> new HybridChecksums(this))
        .with(
            PolynomialSieve.class,
            () -> preferred(PolynomialSieve.class).getFirst().polynomialSieve())
        .with(Sorts.class, () -> new HybridSorts(this, preferred(Sorts.class).getFirst()))
        .with(ByteMemory.class, () -> this::allocateResident)
        .with(Stars.class, () -> starsOf(preferred(Stars.class)))
        .with(LinesOfSight.class, () -> preferred(LinesOfSight.class).getFirst().linesOfSight());
  }

  private Stars starsOf(List<Engine> able) {
    return able.size() == 1 ? able.getFirst().stars() : new HybridStars(spec, able, threads);
  }

  private ResidentBlocks allocateBlocks(Gf256 field, long count, int rows, int columns) {
    return new HybridResidentBlocks(
        this,
        CloseAll.openAll(
            parts.size(),
            part -> parts.get(part).allocate(field, count, rows, columns),
            ResidentBlocks::close));
  }

  private ResidentBytes allocateResident(long bytes) {
    return new HybridResidentBytes(
        this,
        CloseAll.openAll(
            parts.size(), part -> parts.get(part).allocateBytes(bytes), ResidentBytes::close));
  }

  /**
   * Returns the rates that the engine's name gives, or equal rates for equal parts; empty if rates
   * must be measured.
   */
  private Optional<double[]> rates() {
    if (rule.share().isPresent()) {
      double share = rule.share().get();
      return Optional.of(new double[] {share, 1 - share});
    }
    boolean areEqual =
        parts.stream().map(part -> part.kind() + part.description()).distinct().count() == 1;
    return areEqual ? Optional.of(parts.stream().mapToDouble(_ -> 1).toArray()) : Optional.empty();
  }

  @Override
  public String spec() {
    return spec;
  }

  @Override
  public EngineKind kind() {
    return EngineKind.COMBINED;
  }

  /** Returns the parts and their shares of the last job, if any. */
  @Override
  public String description() {
    return shared(part -> "%s (%s)".formatted(part.spec(), part.description()));
  }

  /** As {@link #description}, with the summary of each part. */
  @Override
  public String summary() {
    return shared(Engine::summary);
  }

  private String shared(Function<Engine, String> words) {
    String together = parts.stream().map(words).collect(Collectors.joining(" and "));
    return dispatcher.last().map(shares -> together + ", shared " + shares).orElse(together);
  }

  @Override
  public int threads() {
    return parts.stream().mapToInt(Engine::threads).max().orElseThrow();
  }

  /**
   * Finds a port that every part has, or that at least one part has if not all take part in its
   * work.
   */
  @Override
  public <P> Optional<P> find(Class<P> port) {
    int able = able(port).size();
    boolean suffices = OF_SOME_PARTS.contains(port) ? able > 0 : able == parts.size();
    return suffices ? ports.find(port) : Optional.empty();
  }

  /** Allocates memory of the first part that is not a CPU; a CPU accepts any memory. */
  @Override
  public HostMemory allocateHost(long bytes) {
    return firstPart(HybridEngine::isNoCpu).allocateHost(bytes);
  }

  @Override
  public void warmUp(Gf256 field) {
    parts.forEach(part -> part.warmUp(field));
  }

  /** Also checks the parts: a GPU closes itself when it fails. */
  @Override
  public void requireOpen() {
    threads.requireOpen();
    parts.forEach(Engine::requireOpen);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      threads.close();
      CloseAll.closeAll(parts, Engine::close);
    }
  }

  List<Engine> parts() {
    return parts;
  }

  /**
   * Returns blocks of this engine.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   */
  HybridResidentBlocks resident(ResidentBlocks blocks) {
    return MemoryPreconditions.requireResident(
        "blocks", blocks, HybridResidentBlocks.class, own -> own.isOn(this));
  }

  /**
   * Returns bytes of this engine.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   */
  HybridResidentBytes resident(ResidentBytes bytes) {
    return MemoryPreconditions.requireResident(
        "bytes", bytes, HybridResidentBytes.class, own -> own.isOn(this));
  }

  SplitRule rule() {
    return rule;
  }

  TaskPool pool() {
    return threads;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  /** Returns the parts that have a port. */
  private List<Engine> able(Class<?> port) {
    return parts.stream().filter(part -> part.find(port).isPresent()).toList();
  }

  /** Returns the parts that have a port and are alike: no CPU, unless only CPUs have it. */
  private List<Engine> preferred(Class<?> port) {
    List<Engine> able = able(port);
    List<Engine> devices = able.stream().filter(HybridEngine::isNoCpu).toList();
    return devices.isEmpty() ? able : devices;
  }

  /** Returns the first part that qualifies, or the first part if none does. */
  private Engine firstPart(Predicate<Engine> qualifies) {
    return parts.stream().filter(qualifies).findFirst().orElse(parts.getFirst());
  }

  private static boolean isNoCpu(Engine part) {
    return part.kind() != EngineKind.CPU;
  }
}
