package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.Timeline;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The time that one method spent on each kind of work.
 *
 * @param phases the kinds of work, each summed over all places
 * @param totalMs time from the call to its return, in milliseconds
 */
public record MethodProfile(List<StageProfile> phases, double totalMs) {

  private static final double NS_PER_MS = 1e6;

  /**
   * Runs a method several times, and profiles the last run.
   *
   * @param timeline hears the phases of the work
   * @param warmUps runs before the last, which allocate memory and compile code
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

  /** Returns the time spent on a phase in milliseconds; empty if there is no such phase. */
  public Cell busyMs(String phase) {
    return phases.stream()
        .filter(one -> one.name().equals(phase))
        .findFirst()
        .map(one -> Cell.of(one.busyNs() / NS_PER_MS))
        .orElseGet(Cell::empty);
  }

  /** Returns the names of all phases of several methods. */
  public static Set<String> phases(Collection<MethodProfile> methods) {
    Set<String> names = new LinkedHashSet<>();
    methods.forEach(method -> method.phases().forEach(phase -> names.add(phase.name())));
    return names;
  }
}
