package io.fieldstone.cli.demo;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node tells those who send to it: how many blocks of a generation it still lacks, and how
 * many each sender has already got through. Written by the node during a tick, seen by the others
 * after {@link #publish}, which runs between ticks.
 */
final class Feedback {

  private final Map<Long, Report> latest = new HashMap<>();
  private Map<Long, Report> published = Map.of();

  private record Report(int missing, List<Integer> innovativeFrom) {}

  /**
   * Replaces what was said of a generation.
   *
   * @param missing blocks it still lacks; 0 says that it is done and nobody need send more
   * @param innovativeFrom innovative blocks by sender
   */
  void report(long generation, int missing, int[] innovativeFrom) {
    latest.put(generation, new Report(missing, Arrays.stream(innovativeFrom).boxed().toList()));
  }

  /** Forgets generations below {@code first}: all is known of them. */
  void forgetBelow(long first) {
    latest.keySet().removeIf(generation -> generation < first);
  }

  /** Makes everything said so far visible. */
  void publish() {
    published = Map.copyOf(latest);
  }

  /** Blocks lacking, or {@code unheard} if nothing was said of the generation. */
  int missing(long generation, int unheard) {
    Report report = published.get(generation);
    return report == null ? unheard : report.missing();
  }

  /** How many of this sender's blocks were innovative. */
  int innovativeFrom(int sender, long generation) {
    Report report = published.get(generation);
    return report == null ? 0 : report.innovativeFrom().get(sender);
  }
}
