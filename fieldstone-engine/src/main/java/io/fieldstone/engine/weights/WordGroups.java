package io.fieldstone.engine.weights;

import java.util.List;
import java.util.Objects;

/**
 * Words in contiguous groups; all words of a group have the same weight. Several groups may have
 * the same weight.
 *
 * @param words the words of all groups, in order
 * @param groups the weights and sizes of the groups, whose sum is the number of words
 */
public record WordGroups(BinaryWords words, List<Group> groups) {

  /**
   * A group of words of equal weight.
   *
   * @param weight the ones in each word; engines do not check it
   * @param count the number of words, ≥ 0
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
   * @throws IllegalArgumentException if they do not, or if a weight exceeds the length
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

  /**
   * Returns the number of the first word of a group; for the number of groups, the number of words.
   */
  public long first(int group) {
    Objects.checkIndex(group, groups.size() + 1);
    return groups.stream().limit(group).mapToLong(Group::count).sum();
  }
}
