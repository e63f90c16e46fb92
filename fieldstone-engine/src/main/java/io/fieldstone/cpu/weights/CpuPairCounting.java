package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.WeightPreconditions;
import io.fieldstone.engine.weights.WordGroups;
import java.util.ArrayList;
import java.util.List;

/** Splits rectangles at group boundaries and into parallel tasks. */
final class CpuPairCounting implements PairCounting {

  /** Pairs of a task: about a millisecond of work; 32-bit bins hold the counts. */
  private static final long TASK_PAIRS = 4L << 20;

  /** Right words of a task: they stay in L2 during the loop over left words. */
  private static final long TASK_WIDTH = 1 << 13;

  private final WordGroups left;
  private final WordGroups right;
  private final PairKernel kernel;
  private final TaskPool workers;

  CpuPairCounting(WordGroups left, WordGroups right, PairKernel kernel, TaskPool workers) {
    this.left = left;
    this.right = right;
    this.kernel = kernel;
    this.workers = workers;
  }

  /** Words of one group. */
  private record Run(int group, int weight, long first, long end) {
    long count() {
      return end - first;
    }
  }

  private record Tile(Run left, Run right) {}

  @Override
  public void count(
      long firstLeft, long countLeft, long firstRight, long countRight, PairTable table) {
    WeightPreconditions.requireRectangle(
        left, right, firstLeft, countLeft, firstRight, countRight, table);
    List<Tile> tiles = new ArrayList<>();
    for (Run u : runs(left, firstLeft, countLeft)) {
      for (Run v : runs(right, firstRight, countRight)) {
        addTiles(u, v, tiles);
      }
    }
    workers.forEach(tiles.size(), task -> count(tiles.get(task), table));
  }

  private static List<Run> runs(WordGroups words, long first, long count) {
    List<Run> runs = new ArrayList<>();
    long start = 0;
    for (int group = 0; group < words.groups().size(); group++) {
      WordGroups.Group each = words.groups().get(group);
      long from = Math.max(first, start);
      long end = Math.min(first + count, start + each.count());
      if (from < end) {
        runs.add(new Run(group, each.weight(), from, end));
      }
      start += each.count();
    }
    return runs;
  }

  /** Adds tiles of at most the pairs of a task. */
  private static void addTiles(Run u, Run v, List<Tile> tiles) {
    long width = Math.min(v.count(), TASK_WIDTH);
    long height = Math.min(u.count(), Math.max(1, TASK_PAIRS / width));
    for (long row = u.first(); row < u.end(); row += height) {
      Run rows = new Run(u.group(), u.weight(), row, Math.min(u.end(), row + height));
      for (long column = v.first(); column < v.end(); column += width) {
        Run columns = new Run(v.group(), v.weight(), column, Math.min(v.end(), column + width));
        tiles.add(new Tile(rows, columns));
      }
    }
  }

  private void count(Tile tile, PairTable table) {
    Run u = tile.left();
    Run v = tile.right();
    long[] byCommonOnes = new long[table.length() + 1];
    if (Math.min(u.weight(), v.weight()) == BinaryWords.MAX_BITS) {
      // All words are all ones, and their x exceeds a byte.
      byCommonOnes[BinaryWords.MAX_BITS] = u.count() * v.count();
    } else {
      kernel.count(u.first(), u.end(), u.weight(), v.first(), v.end(), v.weight(), byCommonOnes);
    }
    synchronized (table) {
      for (int x = 0; x <= Math.min(u.weight(), v.weight()); x++) {
        table.add(u.group(), v.group(), x, byCommonOnes[x]);
      }
    }
  }

  @Override
  public void close() {
    // No native memory: the words are on the heap.
  }
}
