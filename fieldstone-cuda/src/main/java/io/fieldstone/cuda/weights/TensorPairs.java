package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** {@code pairs_tensor_W}: common ones by binary tensor cores, each lane with bins of its own. */
final class TensorPairs implements PairMethod {

  private static final int THREADS = 256;

  /** Bytes of the bins of one x: a counter for each lane. */
  private static final int BINS = 128;

  /** A {@code struct PairRun}. */
  private static final int RUN_BYTES = 48;

  private static final int RUN_LONGS = RUN_BYTES / Long.BYTES;
  private static final int TILE_ROWS = 512;
  private static final int TILE_COLUMNS = 2048;

  /** Words up to this length are those of the first kernel. */
  private static final int NARROW = 128;

  private final GridStrideKernel kernel;
  private final long deviceOffset;
  private final long pinnedOffset;

  /**
   * @param scratch of the lane that counts
   * @param length of the words in bits
   * @param most runs of a launch
   */
  TensorPairs(KernelModules modules, ScratchLayout scratch, int length, long most) {
    String name = length <= NARROW ? "pairs_tensor_128" : "pairs_tensor_256";
    this.kernel = modules.kernel("pairs", name, THREADS, (length + 1) * BINS, 1);
    long bytes = Math.max(1, most) * RUN_BYTES;
    this.deviceOffset = scratch.device(bytes);
    this.pinnedOffset = scratch.pinned(bytes);
  }

  @Override
  public long mostPairs() {
    return 1L << 40;
  }

  @Override
  public void count(
      StreamSlot slot, PairMemory memory, long base, List<WordRun> left, List<WordRun> right) {
    int runs = Math.multiplyExact(left.size(), right.size());
    MemorySegment written = slot.pinned(pinnedOffset, (long) runs * RUN_BYTES);
    long tiles = 0;
    int at = 0;
    for (WordRun u : left) {
      for (WordRun v : right) {
        write(written.asSlice((long) at * RUN_BYTES, RUN_BYTES), memory, base, u, v, tiles);
        tiles += Math.ceilDiv(u.count(), (long) TILE_ROWS) * Math.ceilDiv(v.count(), TILE_COLUMNS);
        at++;
      }
    }
    slot.stream().upload(written, slot.device(deviceOffset));
    slot.arguments()
        .int64(slot.device(deviceOffset))
        .int64(tiles)
        .int32(runs)
        .int32(memory.length());
    kernel.launchBlocks(slot, tiles);
  }

  private static void write(
      MemorySegment run, PairMemory memory, long base, WordRun u, WordRun v, long firstTile) {
    long group = (long) u.group() * memory.right().groups().size() + v.group();
    long[] members = {
      memory.left(base, u.first()),
      memory.right(base, v.first()),
      u.count(),
      v.count(),
      memory.counts(base) + group * (memory.length() + 1) * Long.BYTES,
      firstTile
    };
    MemorySegment.copy(members, 0, run, JAVA_LONG, 0, RUN_LONGS);
  }
}
