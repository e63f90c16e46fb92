package io.fieldstone.cuda.weights;

import io.fieldstone.engine.weights.WordGroups;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Words of one group, or some of them.
 *
 * @param group its number
 * @param weight of each word
 * @param first number of the first word among all
 * @param count how many, ≥ 1
 */
record WordRun(int group, int weight, long first, long count) {

  /** Words {@code first} … {@code first + count − 1}, cut where groups end. */
  static List<WordRun> of(WordGroups words, long first, long count) {
    List<WordRun> runs = new ArrayList<>();
    long start = 0;
    for (int group = 0; group < words.groups().size(); group++) {
      WordGroups.Group each = words.groups().get(group);
      long from = Math.max(first, start);
      long end = Math.min(first + count, start + each.count());
      if (from < end) {
        runs.add(new WordRun(group, each.weight(), from, end - from));
      }
      start += each.count();
    }
    return runs;
  }

  /** The same runs in lists of groups that follow each other, no two of a list of one weight. */
  static List<List<WordRun>> distinct(List<WordRun> runs) {
    List<List<WordRun>> lists = new ArrayList<>();
    List<WordRun> list = new ArrayList<>();
    Set<Integer> weights = new HashSet<>();
    for (WordRun run : runs) {
      boolean follows = !list.isEmpty() && run.group() == list.getLast().group() + 1;
      if (!follows || weights.contains(run.weight())) {
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
