package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Counts common ones on binary tensor cores, with bins per lane ({@code pairs_tensor_W}). */
final class TensorPairs implements PairMethod {

  private static final int THREADS = 256;

  /** Bytes of the bins of one x: a counter for each lane. */
  private static final int BIN_BYTES = 128;

  static final int TILE_ROWS = 512;
  static final int TILE_COLUMNS = 2048;

  /** Maximum length of the words of {@code pairs_tensor_128}. */
  private static final int NARROW_BITS = 128;

  private final GridStrideKernel kernel;
  private final long deviceOffset;
  private final long pinnedOffset;

  /**
   * Reserves memory for runs.
   *
   * @param length of the words in bits
   * @param maxRuns of a launch
   */
  TensorPairs(KernelModules modules, ScratchLayout scratch, int length, long maxRuns) {
    String name = length <= NARROW_BITS ? "pairs_tensor_128" : "pairs_tensor_256";
    this.kernel = modules.kernel("pairs", name, THREADS, (length + 1) * BIN_BYTES, 1);
    long bytes = Math.max(1, maxRuns) * PairArguments.Run.BYTES;
    this.deviceOffset = scratch.device(bytes);
    this.pinnedOffset = scratch.pinned(bytes);
  }

  @Override
  public long maxPairs() {
    return 1L << 40;
  }

  @Override
  public void count(
      StreamSlot slot, PairMemory memory, long base, List<WordRun> left, List<WordRun> right) {
    int runs = Math.multiplyExact(left.size(), right.size());
    MemorySegment staging = slot.pinned(pinnedOffset, (long) runs * PairArguments.Run.BYTES);
    long tiles = 0;
    int at = 0;
    for (WordRun u : left) {
      for (WordRun v : right) {
        run(memory, base, u, v, tiles)
            .write(staging.asSlice((long) at * PairArguments.Run.BYTES, PairArguments.Run.BYTES));
        tiles += Math.ceilDiv(u.count(), (long) TILE_ROWS) * Math.ceilDiv(v.count(), TILE_COLUMNS);
        at++;
      }
    }
    slot.stream().upload(staging, slot.device(deviceOffset));
    new PairArguments.Tiles(slot.device(deviceOffset), tiles, runs, memory.length())
        .write(slot.arguments());
    kernel.launchBlocks(slot, tiles);
  }

  private static PairArguments.Run run(
      PairMemory memory, long base, WordRun u, WordRun v, long firstTile) {
    long group = (long) u.group() * memory.right().groups().size() + v.group();
    return new PairArguments.Run(
        memory.left(base, u.first()),
        memory.right(base, v.first()),
        u.count(),
        v.count(),
        memory.counts(base) + group * (memory.length() + 1) * Long.BYTES,
        firstTile);
  }
}
