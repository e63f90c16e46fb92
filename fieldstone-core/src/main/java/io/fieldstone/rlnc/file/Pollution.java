package io.fieldstone.rlnc.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a comparison of shards with each other has found.
 *
 * @param suspects shards whose payloads contradict those of all others, and where
 * @param candidates if a generation contradicts itself in a way that several shards alone may
 *     explain: those shards
 * @param contradiction the first generation that contradicts itself, or −1
 * @param checked generations with a block more than their rank, so that one can be missed
 * @param unchecked generations without
 */
record Pollution(
    Map<ShardFile, Long> suspects,
    List<ShardFile> candidates,
    long contradiction,
    long checked,
    long unchecked) {

  private static final int MAX_NAMED = 8;

  /** Why each suspect is one. */
  Map<ShardFile, String> reasons() {
    Map<ShardFile, String> reasons = new LinkedHashMap<>();
    suspects.forEach((shard, generation) ->
        reasons.put(
            shard,
            "its payloads of generation %d contradict those of the other shards"
                .formatted(generation)));
    return reasons;
  }

  /** In a clause: what is wrong, and with which shard. */
  String describe() {
    if (contradiction < 0) {
      return checked == 0
          ? "no generation has a block more than it needs, which could show the polluted shard"
          : "the blocks of %d generations agree with each other, %d have no block to spare for that"
              .formatted(checked, unchecked);
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
