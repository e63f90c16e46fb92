package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Counts pairs of words that are on a GPU. Waits for each launch. */
final class CudaPairCounting implements PairCounting {

  private final Gpu gpu;
  private final PairMethod method;
  private final PairMemory memory;
  private final ScratchLayout scratch;
  private final long countsOffset;

  /**
   * Creates a counting of the words in {@code memory}.
   *
   * @param scratch layout in which the method has reserved its memory
   */
  CudaPairCounting(Gpu gpu, PairMethod method, PairMemory memory, ScratchLayout scratch) {
    this.gpu = gpu;
    this.method = method;
    this.memory = memory;
    this.scratch = scratch;
    this.countsOffset = scratch.pinned(memory.countBytes());
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
    PairRectangle rectangle = new PairRectangle(firstLeft, countLeft, firstRight, countRight);
    gpu.run(
        () -> "count %d×%d pairs of words".formatted(countLeft, countRight),
        () ->
            memory.useAddress(base -> {
              gpu.streams().useOne(scratch, slot -> count(slot, base, rectangle, table));
            }));
  }

  private void count(StreamSlot slot, long base, PairRectangle rectangle, PairTable table) {
    long bytes = memory.countBytes();
    slot.stream().fill(memory.counts(base), 0, bytes);
    for (PairRectangle part : rectangle.cut(method.maxPairs())) {
      List<WordRun> left = WordRun.of(memory.left(), part.firstLeft(), part.countLeft());
      List<WordRun> right = WordRun.of(memory.right(), part.firstRight(), part.countRight());
      method.count(slot, memory, base, left, right);
      slot.await();
    }
    MemorySegment counts = slot.pinned(countsOffset, bytes);
    slot.stream().download(memory.counts(base), counts);
    slot.await();
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
