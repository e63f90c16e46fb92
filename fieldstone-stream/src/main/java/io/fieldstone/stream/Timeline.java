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
 * Records phases of an engine's streams and of stages of a {@link Pipeline}, for a profile or a
 * chart. It keeps every phase, some tens of bytes each, until it is {@link #clear cleared}.
 *
 * {@snippet :
 * Timeline timeline = new Timeline();
 * try (Engine engine = Engine.open("cuda:0", new EngineOptions(threads, timeline))) {
 *   encode(engine);
 * }
 * timeline.phases().forEach(System.out::println);
 * }
 *
 * <p>Thread-safe. Results cover the phases received so far.
 */
public final class Timeline implements PhaseListener {

  private static final double NS_PER_SECOND = 1e9;

  private final ConcurrentLinkedQueue<Phase> heard = new ConcurrentLinkedQueue<>();

  /** Creates a timeline without phases. */
  public Timeline() {}

  @Override
  public void onPhase(Phase phase) {
    heard.add(phase);
  }

  /** Removes all phases. */
  public void clear() {
    heard.clear();
  }

  /** Returns all phases in order of their start. */
  public List<Phase> phases() {
    List<Phase> sorted = new ArrayList<>(heard);
    if (!sorted.isEmpty()) {
      // System.nanoTime may be negative; only differences can be compared.
      long origin = sorted.getFirst().startNs();
      sorted.sort(Comparator.comparingLong(phase -> phase.startNs() - origin));
    }
    return List.copyOf(sorted);
  }

  /**
   * Returns the sums by kind of work, on all tracks, in order of their start. With concurrent work,
   * their total exceeds the {@linkplain #seconds duration}.
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

  /**
   * Returns the seconds from the start of the first phase to the end of the last; 0 without phases.
   */
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
