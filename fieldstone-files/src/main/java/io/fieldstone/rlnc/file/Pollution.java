package io.fieldstone.rlnc.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of comparing shards with each other.
 *
 * @param suspects the shards whose payloads contradict those of all others, and the reasons
 * @param candidates the shards that each alone may explain a contradiction
 * @param contradiction the first contradictory generation, or −1
 * @param checked generations with more blocks than their rank, which can reveal a contradiction
 * @param unchecked generations without surplus blocks
 */
record Pollution(
    Map<ShardFile, Long> suspects,
    List<ShardFile> candidates,
    long contradiction,
    long checked,
    long unchecked) {

  private static final int MAX_NAMED = 8;

  /** Returns the reason for each suspect. */
  Map<ShardFile, String> reasons() {
    Map<ShardFile, String> reasons = new LinkedHashMap<>();
    suspects.forEach((shard, generation) ->
        reasons.put(
            shard,
            "its payloads of generation %d contradict those of the other shards"
                .formatted(generation)));
    return reasons;
  }

  /** Describes the problem and the shards in a clause. */
  String describe() {
    if (contradiction < 0) {
      return checked == 0
          ? "no generation has more blocks than it needs, so the polluted shard is unknown"
          : "the blocks of %s are consistent, those of %s cannot be checked without spare ones"
              .formatted(
                  RankSummary.plural(checked, "generation"),
                  RankSummary.plural(unchecked, "generation"));
    }
    if (!suspects.isEmpty()) {
      return suspects.entrySet().stream()
          .map(entry ->
              "%s contradicts the other shards in generation %d"
                  .formatted(entry.getKey().path(), entry.getValue()))
          .collect(Collectors.joining(", "));
    }
    if (!candidates.isEmpty()) {
      return "in generation %d one of these shards contradicts the others: %s"
          .formatted(contradiction, names());
    }
    return "the shards contradict each other in generation %d, and leaving out one or two does not help"
        .formatted(contradiction);
  }

  private String names() {
    String named =
        candidates.stream()
            .limit(MAX_NAMED)
            .map(shard -> shard.path().toString())
            .collect(Collectors.joining(", "));
    return named + (candidates.size() > MAX_NAMED ? ", …" : "");
  }
}
