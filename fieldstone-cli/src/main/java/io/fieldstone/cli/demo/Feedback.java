package io.fieldstone.cli.demo;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Carries the feedback of a node to its senders: the missing blocks of each generation, and the
 * innovative blocks from each sender. The node writes it during a tick; senders see it after {@link
 * #publish}, which runs between ticks.
 */
final class Feedback {

  private final Map<Long, Report> latest = new HashMap<>();
  private Map<Long, Report> published = Map.of();

  private record Report(int missing, List<Integer> innovativeFrom) {}

  /**
   * Replaces the report on a generation.
   *
   * @param missing the number of missing blocks; 0 if the generation is complete
   * @param innovativeFrom the innovative blocks by sender
   */
  void report(long generation, int missing, int[] innovativeFrom) {
    latest.put(generation, new Report(missing, Arrays.stream(innovativeFrom).boxed().toList()));
  }

  /** Removes the reports on generations below {@code first}, which all receivers have. */
  void forgetBelow(long first) {
    latest.keySet().removeIf(generation -> generation < first);
  }

  /** Makes all reports visible to the senders. */
  void publish() {
    published = Map.copyOf(latest);
  }

  /**
   * Returns the number of missing blocks, or {@code defaultValue} without a report on the
   * generation.
   */
  int missing(long generation, int defaultValue) {
    Report report = published.get(generation);
    return report == null ? defaultValue : report.missing();
  }

  /** Returns the number of innovative blocks from a sender. */
  int innovativeFrom(int sender, long generation) {
    Report report = published.get(generation);
    return report == null ? 0 : report.innovativeFrom().get(sender);
  }
}
