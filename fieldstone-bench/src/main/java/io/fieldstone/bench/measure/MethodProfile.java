package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.Timeline;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one method spent its time on.
 *
 * @param phases each kind of work, all places together
 * @param totalMs from the call to its return
 */
public record MethodProfile(List<StageProfile> phases, double totalMs) {

  private static final double NS_PER_MS = 1e6;

  /**
   * Runs something several times; only the last run counts.
   *
   * @param timeline hears the phases of the work
   * @param warmUps runs before the last, in which memory is taken and code compiled
   */
  public static MethodProfile of(Timeline timeline, int warmUps, Runnable work) {
    for (int i = 0; i < warmUps; i++) {
      work.run();
    }
    timeline.clear();
    long start = System.nanoTime();
    work.run();
    double totalMs = (System.nanoTime() - start) / NS_PER_MS;
    return new MethodProfile(timeline.profile(), totalMs);
  }

  /** How long it was busy with a phase, in milliseconds; empty if it has none of that name. */
  public Cell busyMs(String phase) {
    return phases.stream()
        .filter(one -> one.name().equals(phase))
        .findFirst()
        .map(one -> Cell.of(one.busyNs() / NS_PER_MS))
        .orElseGet(Cell::empty);
  }

  /** The names of all phases of methods. */
  public static Set<String> phases(Collection<MethodProfile> methods) {
    Set<String> names = new LinkedHashSet<>();
    methods.forEach(method -> method.phases().forEach(phase -> names.add(phase.name())));
    return names;
  }
}
