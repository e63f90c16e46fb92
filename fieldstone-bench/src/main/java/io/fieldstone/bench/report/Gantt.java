package io.fieldstone.bench.report;

import io.fieldstone.engine.memory.Phase;
import io.fieldstone.stream.Timeline;
import java.util.List;

/**
 * A Gantt chart: a row for each place of work, and a bar for each phase.
 *
 * @param phases in any order
 */
public record Gantt(String name, String title, List<Phase> phases) implements Part {
  public Gantt {
    phases = List.copyOf(phases);
  }

  /** Charts the phases of a timeline. */
  public static Gantt of(String name, String title, Timeline timeline) {
    return new Gantt(name, title, timeline.phases());
  }
}
