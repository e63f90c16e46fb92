package io.fieldstone.cuda.weights;

import io.fieldstone.engine.weights.WordGroups;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A range of words of one group.
 *
 * @param group number of the group
 * @param weight of each word
 * @param first index of the first word among all words
 * @param count of the words, ≥ 1
 */
record WordRun(int group, int weight, long first, long count) {

  /** Cuts words {@code first} … {@code first + count − 1} at the ends of groups. */
  static List<WordRun> of(WordGroups words, long first, long count) {
    List<WordRun> runs = new ArrayList<>();
    long start = 0;
    for (int group = 0; group < words.groups().size(); group++) {
      WordGroups.Group members = words.groups().get(group);
      long from = Math.max(first, start);
      long end = Math.min(first + count, start + members.count());
      if (from < end) {
        runs.add(new WordRun(group, members.weight(), from, end - from));
      }
      start += members.count();
    }
    return runs;
  }

  /** Splits runs into lists of successive groups with distinct weights. */
  static List<List<WordRun>> distinct(List<WordRun> runs) {
    List<List<WordRun>> lists = new ArrayList<>();
    List<WordRun> list = new ArrayList<>();
    Set<Integer> weights = new HashSet<>();
    for (WordRun run : runs) {
      boolean isSuccessor = !list.isEmpty() && run.group() == list.getLast().group() + 1;
      if (!isSuccessor || weights.contains(run.weight())) {
        list = new ArrayList<>();
        lists.add(list);
        weights.clear();
      }
      list.add(run);
      weights.add(run.weight());
    }
    return lists;
  }
}
