package io.fieldstone.engine;

import io.fieldstone.engine.hashes.Hashing;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds engines through {@link ServiceLoader}. */
final class EngineDirectory {

  private static final String AUTO = "auto";

  /** Joins the names of several engines. */
  private static final String SEVERAL = "+";

  private EngineDirectory() {}

  static List<EngineStatus> list() {
    List<EngineProvider> providers = providers();
    List<EngineStatus> engines =
        providers.stream().flatMap(provider -> provider.engines().stream()).toList();
    return Stream.concat(
            engines.stream(),
            providers.stream().flatMap(provider -> provider.combinations(engines).stream()))
        .toList();
  }

  static Engine open(String spec, EngineOptions options) {
    if (spec.equals(AUTO)) {
      return openAny(isForCores(options) ? cores() : providers(), options);
    }
    // Without lambdas: to link one takes the JVM as long as a short job.
    Optional<Engine> ofCores = openListed(spec, cores(), options);
    if (ofCores.isPresent()) {
      return ofCores.get();
    }
    Optional<Engine> listed = openListed(spec, providers(), options);
    return listed.isPresent() ? listed.get() : openOther(spec, options);
  }

  private static boolean isForCores(EngineOptions options) {
    return options.workload().isPresent() && options.workload().get().isForCores(options.threads());
  }

  /**
   * Returns the provider of the cores only, or all if it is missing. The search ends when it is
   * found: opening every jar of a long class path would take longer than small jobs.
   */
  private static List<EngineProvider> cores() {
    for (EngineProvider provider : found()) {
      if (provider.preference() == EngineProvider.CORES) {
        return List.of(provider);
      }
    }
    return providers();
  }

  /**
   * Opens the first engine that opens without failure; a GPU with full memory is skipped, and so
   * are variants of engines. For a job that the cores finish sooner, they come first, and no GPU
   * driver is loaded.
   */
  static Engine openAny(List<EngineProvider> providers, EngineOptions options) {
    Optional<EngineFailedException> failure = Optional.empty();
    for (EngineProvider provider : isForCores(options) ? providers.reversed() : providers) {
      if (provider.preference() < EngineProvider.CORES) {
        continue;
      }
      List<String> names = provider.names();
      for (String name : names) {
        if (names.stream().anyMatch(other -> name.startsWith(other + ":"))) {
          continue;
        }
        try {
          return provider.open(name, options);
        } catch (EngineFailedException e) {
          System.getLogger(EngineDirectory.class.getName()).log(Level.WARNING, e.getMessage());
          failure = failure.or(() -> Optional.of(e));
        }
      }
    }
    throw failure.orElseThrow(
        () -> new IllegalArgumentException("no engine is available; " + describeEngines()));
  }

  /** Opens an engine that one of the providers lists as present. */
  private static Optional<Engine> openListed(
      String spec, List<EngineProvider> providers, EngineOptions options) {
    for (EngineProvider provider : providers) {
      if (provider.names().contains(spec)) {
        return Optional.of(provider.open(spec, options));
      }
    }
    return Optional.empty();
  }

  /** Opens an engine that no provider lists as present. */
  private static Engine openOther(String spec, EngineOptions options) {
    List<EngineProvider> providers = providers();
    for (EngineProvider provider : providers) {
      for (EngineStatus engine : provider.engines()) {
        if (spec.equals(engine.spec())) {
          throw new IllegalArgumentException(
              "engine '%s' is not available here: %s"
                  .formatted(spec, engine.missing().orElseThrow()));
        }
      }
    }
    for (EngineProvider provider : providers) {
      if (provider.canOpen(spec)) {
        return provider.open(spec, options);
      }
    }
    if (spec.contains(SEVERAL)) {
      throw new IllegalArgumentException(
          "engine '%s' is several engines as one, which needs fieldstone-hybrid on the class path"
              .formatted(spec));
    }
    List<String> names =
        Stream.concat(
                Stream.of(AUTO),
                list().stream().filter(EngineStatus::isPresent).map(EngineStatus::spec))
            .toList();
    throw new IllegalArgumentException(
        "no engine '%s'; %s"
            .formatted(spec, Spelling.hint(spec, names, EngineDirectory::describeEngines)));
  }

  /** Lists the engines that can be opened, and for each further one the reason why it cannot. */
  private static String describeEngines() {
    List<EngineStatus> engines = list();
    String names =
        engines.stream()
            .filter(EngineStatus::isPresent)
            .map(EngineStatus::spec)
            .collect(Collectors.joining(", "));
    String missing =
        engines.stream()
            .filter(engine -> !engine.isPresent())
            .map(engine -> engine.spec() + " (" + engine.missing().orElseThrow() + ")")
            .collect(Collectors.joining(", "));
    return "there are: auto, " + names + (missing.isEmpty() ? "" : "; missing: " + missing);
  }

  static Hashing hashing() {
    return FastestHashing.FOUND;
  }

  /** Found when it is first needed. */
  private static final class FastestHashing {
    static final Hashing FOUND =
        stream(found())
            .flatMap(provider -> provider.hashing().stream())
            .findFirst()
            .orElseGet(Hashing::jdk);
  }

  private static List<EngineProvider> providers() {
    return stream(found())
        .sorted(Comparator.comparingInt(EngineProvider::preference).reversed())
        .toList();
  }

  private static ServiceLoader<EngineProvider> found() {
    return ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader());
  }

  private static Stream<EngineProvider> stream(ServiceLoader<EngineProvider> providers) {
    return providers.stream().map(ServiceLoader.Provider::get);
  }
}
