package io.fieldstone.stream;

import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Remembers who worked when: what an engine tells of its lanes and a {@link Pipeline} of its
 * stages, for a profile or a picture. It keeps every phase, some tens of bytes each, until it is
 * {@link #clear cleared}.
 *
 * <p>Thread-safe. What is asked of it is of the phases that it has heard of by then.
 */
public final class Timeline implements PhaseListener {

  private static final double NS_PER_SECOND = 1e9;

  private final ConcurrentLinkedQueue<Phase> heard = new ConcurrentLinkedQueue<>();

  /** Nothing yet. */
  public Timeline() {}

  @Override
  public void spent(Phase phase) {
    heard.add(phase);
  }

  /** Forgets everything. */
  public void clear() {
    heard.clear();
  }

  /** All phases, in the order in which they began. */
  public List<Phase> phases() {
    List<Phase> sorted = new ArrayList<>(heard);
    if (!sorted.isEmpty()) {
      // Times of System.nanoTime may be negative, and compare only by their differences.
      long origin = sorted.getFirst().startNs();
      sorted.sort(Comparator.comparingLong(phase -> phase.startNs() - origin));
    }
    return List.copyOf(sorted);
  }

  /**
   * What was spent on each kind of work, in the order in which they began, at whatever places.
   * Where several work at once, more than the {@linkplain #seconds whole time} can be spent.
   */
  public List<StageProfile> profile() {
    Map<String, StageProfile> byName = new LinkedHashMap<>();
    for (Phase phase : phases()) {
      byName.merge(
          phase.name(),
          new StageProfile(phase.name(), phase.durationNs(), 1, phase.bytes()),
          StageProfile::plus);
    }
    return List.copyOf(byName.values());
  }

  /** From the beginning of the first phase to the end of the last, in seconds; 0 without any. */
  public double seconds() {
    List<Phase> phases = phases();
    if (phases.isEmpty()) {
      return 0;
    }
    long start = phases.getFirst().startNs();
    long longest = phases.stream().mapToLong(phase -> phase.endNs() - start).max().orElse(0);
    return longest / NS_PER_SECOND;
  }
}
