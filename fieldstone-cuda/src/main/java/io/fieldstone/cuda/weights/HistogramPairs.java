package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;

/**
 * JWD's two loops, which know nothing of groups: each pair increments its bin (x, y, z), in global
 * memory ({@code pairs_global}) or, all pairs of a left word, in shared memory ({@code
 * pairs_local}). The bins of a launch are then moved to the counts of the groups.
 */
final class HistogramPairs implements PairMethod {

  private static final String FILE = "pairs";

  private static final int LOCAL_THREADS = 512;
  private static final int GLOBAL_THREADS = 256;
  private static final int COLLECT_THREADS = 256;

  private static final long LOCAL_PAIRS = 1L << 35;
  private static final long GLOBAL_PAIRS = 1L << 30;

  private final GridStrideKernel kernel;
  private final GridStrideKernel collect;
  private final long mostPairs;

  private HistogramPairs(KernelModules modules, GridStrideKernel kernel, long mostPairs) {
    this.kernel = kernel;
    this.collect = modules.kernel(FILE, "pairs_collect", COLLECT_THREADS, 0, 1);
    this.mostPairs = mostPairs;
  }

  /** JWD's first. */
  static HistogramPairs global(KernelModules modules) {
    return new HistogramPairs(
        modules, modules.kernel(FILE, "pairs_global", GLOBAL_THREADS, 0, 1), GLOBAL_PAIRS);
  }

  /**
   * JWD's second; the first where the bins of a left word are more than a block's shared memory,
   * which only words of some 255 bits on GPUs with 64 KB have.
   */
  static HistogramPairs local(KernelModules modules, Device device, int length) {
    int shared = localBytes(length);
    return shared > device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK)
        ? global(modules)
        : new HistogramPairs(
            modules, modules.kernel(FILE, "pairs_local", LOCAL_THREADS, shared, 1), LOCAL_PAIRS);
  }

  /**
   * Bins (y, z) of a word of any weight t: y up to t, z up to n − t, most for t = n/2. What the
   * caller says of weights is not relied on.
   */
  private static int localBytes(int length) {
    return (length / 2 + 1) * (length - length / 2 + 1) * Integer.BYTES;
  }

  @Override
  public long mostPairs() {
    return mostPairs;
  }

  @Override
  public void count(
      StreamSlot slot, PairMemory memory, long base, List<WordRun> left, List<WordRun> right) {
    for (List<WordRun> u : WordRun.distinct(left)) {
      for (List<WordRun> v : WordRun.distinct(right)) {
        countDistinct(slot, memory, base, u, v);
      }
    }
  }

  private void countDistinct(
      StreamSlot slot, PairMemory memory, long base, List<WordRun> left, List<WordRun> right) {
    long rows = count(left);
    long columns = count(right);
    slot.arguments()
        .int64(memory.left(base, left.getFirst().first()))
        .int64(memory.right(base, right.getFirst().first()))
        .int64(rows)
        .int64(columns)
        .int64(memory.bins(base))
        .int32(memory.length())
        .int32(memory.parts());
    kernel.launchBlocks(slot, rows * columns);
    slot.arguments()
        .int64(memory.bins(base))
        .int64(memory.counts(base))
        .int64(memory.leftWeights(base))
        .int64(memory.rightWeights(base))
        .int32(left.getFirst().group())
        .int32(left.size())
        .int32(right.getFirst().group())
        .int32(right.size())
        .int32(memory.right().groups().size())
        .int32(memory.length());
    collect.launchThreads(slot, (long) left.size() * right.size() * (memory.length() + 1));
  }

  private static long count(List<WordRun> runs) {
    return runs.stream().mapToLong(WordRun::count).sum();
  }
}
