package io.fieldstone.engine.weights;

import java.util.List;
import java.util.Objects;

/**
 * Words in groups that follow each other without gaps; all words of a group have the same weight.
 * Several groups may be of one weight.
 *
 * @param words all of them, group after group
 * @param groups their weights and sizes, whose sum is the number of words
 */
public record WordGroups(BinaryWords words, List<Group> groups) {

  /**
   * A run of words of equal weight.
   *
   * @param weight ones in each word; engines trust it
   * @param count how many words, ≥ 0
   */
  public record Group(int weight, long count) {
    public Group {
      if (weight < 0 || count < 0) {
        throw new IllegalArgumentException("%d words of weight %d".formatted(count, weight));
      }
    }
  }

  /**
   * Checks that the groups cover the words.
   *
   * @throws IllegalArgumentException if they do not, or a weight exceeds the length
   */
  public WordGroups {
    Objects.requireNonNull(words, "words");
    groups = List.copyOf(groups);
    long total = 0;
    for (Group group : groups) {
      if (group.weight() > words.length()) {
        throw new IllegalArgumentException(
            "weight %d of words of %d bits".formatted(group.weight(), words.length()));
      }
      total = Math.addExact(total, group.count());
    }
    if (total != words.count()) {
      throw new IllegalArgumentException(
          "groups of %d words in all for %d words".formatted(total, words.count()));
    }
  }

  /** Number of the first word of a group; of the group past the last, the number of words. */
  public long first(int group) {
    Objects.checkIndex(group, groups.size() + 1);
    return groups.stream().limit(group).mapToLong(Group::count).sum();
  }
}
