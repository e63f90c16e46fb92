package io.fieldstone.hybrid;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Combines several engines, e.g. {@code cuda:0+cpu} or {@code cuda:all}. It lists no engines of its
 * own, so {@code auto} never selects one.
 */
public final class HybridProvider implements EngineProvider {

  private static final String CORES = "cpu";

  /** For the service loader. */
  public HybridProvider() {}

  @Override
  public int preference() {
    return Integer.MIN_VALUE;
  }

  @Override
  public List<EngineStatus> engines() {
    return List.of();
  }

  /**
   * Returns, for each family of numbered engines that are present, the first one with the CPU, and
   * all of them if there are several.
   */
  @Override
  public List<EngineStatus> combinations(List<EngineStatus> engines) {
    List<String> present =
        engines.stream().filter(EngineStatus::isPresent).map(EngineStatus::spec).toList();
    Map<String, List<String>> families = new LinkedHashMap<>();
    for (String spec : present) {
      HybridSpec.family(spec)
          .ifPresent(family -> families.computeIfAbsent(family, _ -> new ArrayList<>()).add(spec));
    }
    List<EngineStatus> combinations = new ArrayList<>();
    families.forEach((family, members) -> {
      if (present.contains(CORES)) {
        combinations.add(
            EngineStatus.present(
                members.getFirst() + "+" + CORES,
                EngineKind.COMBINED,
                "each job shared by " + members.getFirst() + " and " + CORES));
      }
      if (members.size() > 1) {
        combinations.add(
            EngineStatus.present(
                family + ":all",
                EngineKind.COMBINED,
                "each job shared by " + String.join(", ", members)));
      }
    });
    return combinations;
  }

  @Override
  public boolean canOpen(String spec) {
    return HybridSpec.isHybrid(spec);
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    return HybridSpec.parse(spec, Engine.available()).open(part -> Engine.open(part, options));
  }
}
