package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.WeightPreconditions;
import io.fieldstone.engine.PairCounting;
import io.fieldstone.engine.PairTable;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Words on a GPU, whose pairs are counted a launch at a time; each is waited for. */
final class CudaPairCounting implements PairCounting {

  private final Gpu gpu;
  private final PairMethod method;
  private final PairMemory memory;
  private final Workspace workspace;
  private final long countsOffset;

  /**
   * @param workspace of a lane, with what the method has reserved
   */
  CudaPairCounting(Gpu gpu, PairMethod method, PairMemory memory, Workspace workspace) {
    this.gpu = gpu;
    this.method = method;
    this.memory = memory;
    this.workspace = workspace;
    this.countsOffset = workspace.pinned(memory.countBytes());
  }

  @Override
  public void count(
      long firstLeft, long countLeft, long firstRight, long countRight, PairTable table) {
    WeightPreconditions.requireRectangle(
        memory.left(), memory.right(), firstLeft, countLeft, firstRight, countRight, table);
    if (countLeft == 0 || countRight == 0) {
      gpu.requireOpen();
      return;
    }
    PairRectangle all = new PairRectangle(firstLeft, countLeft, firstRight, countRight);
    gpu.call(
        () -> "count %d×%d pairs of words".formatted(countLeft, countRight),
        () ->
            memory.inside(base -> {
              gpu.lanes().useOne(workspace, lane -> count(lane, base, all, table));
              return this;
            }));
  }

  private void count(Lane lane, long base, PairRectangle all, PairTable table) {
    long bytes = memory.countBytes();
    lane.stream().fill(memory.counts(base), 0, bytes);
    for (PairRectangle part : all.cut(method.mostPairs())) {
      List<WordRun> left = WordRun.of(memory.left(), part.firstLeft(), part.countLeft());
      List<WordRun> right = WordRun.of(memory.right(), part.firstRight(), part.countRight());
      method.count(lane, memory, base, left, right);
      lane.await();
    }
    MemorySegment counts = lane.pinned(countsOffset, bytes);
    lane.stream().download(memory.counts(base), counts);
    lane.await();
    add(counts, table);
  }

  private static void add(MemorySegment counts, PairTable table) {
    long at = 0;
    for (int left = 0; left < table.leftGroups(); left++) {
      for (int right = 0; right < table.rightGroups(); right++) {
        for (int x = 0; x <= table.length(); x++) {
          table.add(left, right, x, counts.getAtIndex(JAVA_LONG, at));
          at++;
        }
      }
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
