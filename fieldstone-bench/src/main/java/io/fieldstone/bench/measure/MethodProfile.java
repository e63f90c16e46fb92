package io.fieldstone.bench.measure;

import io.fieldstone.engine.memory.Phase;
import io.fieldstone.stream.Timeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The phases of one run of a method.
 *
 * @param phases in order of their start
 * @param totalMs time from the call to its return, in milliseconds
 */
public record MethodProfile(List<Phase> phases, double totalMs) {

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
    return new MethodProfile(timeline.phases(), totalMs);
  }

  /**
   * Runs a method several times, and profiles the run of median length.
   *
   * @param timeline hears the phases of the work
   * @param warmUps runs before those that are compared
   * @param runs the number of runs that are compared, odd
   */
  public static MethodProfile median(Timeline timeline, int warmUps, int runs, Runnable work) {
    List<MethodProfile> profiles = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      profiles.add(of(timeline, i == 0 ? warmUps : 0, work));
    }
    profiles.sort(Comparator.comparingDouble(MethodProfile::totalMs));
    return profiles.get(runs / 2);
  }

  /**
   * Returns the milliseconds in which at least one phase of some names was in progress; empty if
   * there is no such phase.
   */
  public OptionalDouble wallMs(Set<String> names) {
    return phases.stream().anyMatch(phase -> names.contains(phase.name()))
        ? OptionalDouble.of(wallMs(phase -> names.contains(phase.name())))
        : OptionalDouble.empty();
  }

  /** Returns the milliseconds in which at least one phase was in progress. */
  public double wallMs() {
    return wallMs(_ -> true);
  }

  /** Returns the milliseconds before, between and after the phases. */
  public double idleMs() {
    return totalMs - wallMs();
  }

  private double wallMs(Predicate<Phase> counted) {
    long wall = 0;
    long origin = phases.isEmpty() ? 0 : phases.getFirst().startNs();
    long covered = 0;
    for (Phase phase : phases) {
      if (counted.test(phase)) {
        long end = phase.endNs() - origin;
        wall += Math.max(0, end - Math.max(covered, phase.startNs() - origin));
        covered = Math.max(covered, end);
      }
    }
    return wall / NS_PER_MS;
  }

  /** Returns the names of all phases of several methods. */
  public static Set<String> phases(Collection<MethodProfile> methods) {
    Set<String> names = new LinkedHashSet<>();
    methods.forEach(method -> method.phases().forEach(phase -> names.add(phase.name())));
    return names;
  }
}
