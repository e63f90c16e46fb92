package io.fieldstone.bench.measure;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.field.Gf256;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens the engines of a run: one on the cores and, if available, one on a GPU with its variants.
 * Each is opened at its first use, and stays open until {@link #close}. Not thread-safe.
 *
 * <p>{@code auto} selects {@code cpu} for the cores, and for the GPU the first present engine of
 * another kind. The name of an engine of the cores leaves the GPU out. Any other name is the GPU,
 * beside {@code cpu}.
 */
public final class BenchEngines implements AutoCloseable {

  private static final String AUTO = "auto";
  private static final String CORES = "cpu";
  private static final String JOINED = "+";
  private static final String ALL = ":all";
  private static final String SPLIT = "@";

  /** Variants that differ only in how they decode. */
  private static final List<String> DECODERS =
      List.of(":baseline", ":hpds", ":assisted", ":cpu-vectors", ":gauss-jordan");

  private record Key(String spec, int threads) {}

  private final List<EngineStatus> listed = Engine.available();
  private final Map<Key, Engine> open = new LinkedHashMap<>();
  private final int threads;
  private final String cores;
  private final Optional<String> gpu;
  private final String missing;

  public BenchEngines(BenchOptions options) {
    String asked = options.engine();
    this.threads = options.threads();
    this.cores = isOnCores(asked) ? asked : CORES;
    if (isOnCores(asked)) {
      this.gpu = Optional.empty();
      this.missing = "engine '" + asked + "' was asked for";
    } else if (asked.equals(AUTO)) {
      this.gpu =
          listed.stream()
              .filter(engine -> engine.isPresent() && engine.kind() != EngineKind.CPU)
              .map(EngineStatus::spec)
              .findFirst();
      this.missing = whyNone();
    } else {
      this.gpu = Optional.of(asked);
      this.missing = "";
    }
  }

  private boolean isOnCores(String spec) {
    return listed.stream()
        .anyMatch(engine -> engine.kind() == EngineKind.CPU && engine.spec().equals(spec));
  }

  private String whyNone() {
    String reasons =
        listed.stream()
            .filter(engine -> engine.kind() != EngineKind.CPU)
            .flatMap(engine -> engine.missing().map(why -> engine.spec() + ": " + why).stream())
            .collect(Collectors.joining("; "));
    return reasons.isEmpty() ? "no engine but those of the cores is known" : reasons;
  }

  /**
   * Returns one engine for each piece of hardware: the present engines without variants and
   * combinations.
   */
  public List<String> hardware() {
    List<String> present =
        listed.stream().filter(EngineStatus::isPresent).map(EngineStatus::spec).toList();
    return present.stream()
        .filter(spec -> !spec.contains(JOINED) && !spec.endsWith(ALL))
        .filter(spec -> present.stream().noneMatch(other -> spec.startsWith(other + ":")))
        .toList();
  }

  /** Returns the number of threads of {@link #cores()}. */
  public int threads() {
    return threads;
  }

  /** Returns the name of the engine on the cores. */
  public String coresSpec() {
    return cores;
  }

  /** Opens the engine on the cores with one thread. */
  public Engine oneCore() {
    return open(cores, 1);
  }

  /** Opens the engine on the cores with all threads. */
  public Engine cores() {
    return open(cores, threads);
  }

  /**
   * Opens an engine by name, and waits until its code is compiled.
   *
   * @throws IllegalArgumentException if there is no such engine
   */
  public Engine open(String spec, int threads) {
    return open.computeIfAbsent(new Key(spec, threads), BenchEngines::openWarm);
  }

  private static Engine openWarm(Key key) {
    Engine engine = Engine.open(key.spec, new EngineOptions(key.threads));
    engine.warmUp(Gf256.DEFAULT);
    return engine;
  }

  /** Tests whether a GPU is available. */
  public boolean hasGpu() {
    return gpu.isPresent();
  }

  /** Opens the engine on the GPU; empty without one. */
  public Optional<Engine> gpu() {
    return gpu.map(spec -> open(spec, threads));
  }

  /** Opens the parts of the engine on the GPU, if it combines several engines. */
  public List<Engine> gpuParts() {
    String spec = gpu.orElse("");
    int at = spec.indexOf(SPLIT);
    List<String> names =
        Arrays.stream((at < 0 ? spec : spec.substring(0, at)).split(Pattern.quote(JOINED)))
            .flatMap(this::members)
            .toList();
    return names.size() < 2 ? List.of() : names.stream().map(name -> open(name, threads)).toList();
  }

  private Stream<String> members(String name) {
    return name.endsWith(ALL)
        ? hardware().stream()
            .filter(one -> one.startsWith(name.substring(0, name.length() - ALL.length() + 1)))
        : Stream.of(name);
  }

  /** Opens a variant of the engine on the GPU; empty if it has no such variant. */
  public Optional<Engine> gpu(String variant) {
    return gpu.map(spec -> spec + ":" + variant)
        .filter(spec ->
            listed.stream().anyMatch(engine -> engine.isPresent() && engine.spec().equals(spec)))
        .map(spec -> open(spec, threads));
  }

  /** Opens the engine on the GPU, then each variant with a product kernel of its own. */
  public List<Engine> gpuKernels() {
    return gpu.stream()
        .flatMap(spec ->
            listed.stream()
                .filter(EngineStatus::isPresent)
                .map(EngineStatus::spec)
                .filter(one -> one.equals(spec) || one.startsWith(spec + ":"))
                .filter(one -> DECODERS.stream().noneMatch(one::endsWith)))
        .map(spec -> open(spec, threads))
        .toList();
  }

  /** Opens the GPU and the cores as one engine, which measures the share of each. */
  public Optional<Engine> gpuAndCores() {
    return gpuAndCores("");
  }

  /**
   * Opens the GPU and the cores as one engine; empty without a GPU, or if that is a combination.
   *
   * @param split how each job is cut: {@code @rows}, {@code @rows=0.54} …, or the empty string
   */
  public Optional<Engine> gpuAndCores(String split) {
    return gpu.filter(spec -> !spec.contains(JOINED))
        .map(spec -> open(spec + JOINED + cores + split, threads));
  }

  /** Describes the GPU, or explains why it is missing, in a paragraph of an introduction. */
  public String gpuDescription() {
    return gpu()
        .map(engine -> "GPU: \"" + engine.spec() + "\", " + engine.description() + ".")
        .orElseGet(() -> "GPU: none, so its cells are empty (" + missing + ").");
  }

  @Override
  public void close() {
    open.values().forEach(Engine::close);
  }
}
