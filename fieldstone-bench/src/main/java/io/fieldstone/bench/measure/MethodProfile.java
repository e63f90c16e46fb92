package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Cell;
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
  private static final double MICROS_PER_MS = 1e3;
  private static final double PERCENT = 100;

  /** The time after which {@link #median} starts no further runs, once before and once after. */
  private static final double MAX_MS = 500;

  /**
   * Runs a method several times, and profiles the last run.
   *
   * @param timeline is notified of the phases of the work
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
   * Runs a method several times, and profiles the run of median length. A method that takes long
   * runs less often: half a second of warm-ups, and half a second of runs that are compared.
   *
   * @param timeline is notified of the phases of the work
   * @param warmUps the maximum number of runs before those that are compared, at least 1
   * @param runs the maximum number of runs that are compared
   */
  public static MethodProfile median(Timeline timeline, int warmUps, int runs, Runnable work) {
    runAtMost(warmUps, timeline, work);
    List<MethodProfile> profiles = runAtMost(runs, timeline, work);
    profiles.sort(Comparator.comparingDouble(MethodProfile::totalMs));
    return profiles.get(profiles.size() / 2);
  }

  private static List<MethodProfile> runAtMost(int runs, Timeline timeline, Runnable work) {
    List<MethodProfile> profiles = new ArrayList<>();
    double spentMs = 0;
    while (profiles.isEmpty() || (profiles.size() < runs && spentMs < MAX_MS)) {
      profiles.add(of(timeline, 0, work));
      spentMs += profiles.getLast().totalMs();
    }
    return profiles;
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

  /** Makes a cell of microseconds from milliseconds; empty without them. */
  public static Cell micros(OptionalDouble millis) {
    return Cell.of(scaled(millis, MICROS_PER_MS));
  }

  /** Returns the percentage of the total time; empty without a time. */
  public OptionalDouble percent(OptionalDouble millis) {
    return scaled(millis, PERCENT / totalMs);
  }

  /** Multiplies a figure, if there is one. */
  public static OptionalDouble scaled(OptionalDouble value, double factor) {
    return value.isPresent() ? OptionalDouble.of(factor * value.getAsDouble()) : value;
  }

  /** Returns the names of all phases of several methods. */
  public static Set<String> phases(Collection<MethodProfile> methods) {
    Set<String> names = new LinkedHashSet<>();
    methods.forEach(method -> method.phases().forEach(phase -> names.add(phase.name())));
    return names;
  }
}
