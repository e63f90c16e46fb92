package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.driver.Device;
import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import java.util.List;

/**
 * Counts pairs by JWD's two kernels, in which each pair increments its bin (x, y, z). The bins are
 * in global memory ({@code pairs_global}), or in shared memory for each left word ({@code
 * pairs_local}). After each launch, the bins are added to the counts of the groups.
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
  private final long maxPairs;

  private HistogramPairs(KernelModules modules, GridStrideKernel kernel, long maxPairs) {
    this.kernel = kernel;
    this.collect = modules.kernel(FILE, "pairs_collect", COLLECT_THREADS, 0, 1);
    this.maxPairs = maxPairs;
  }

  /** Returns JWD's kernel with bins in global memory. */
  static HistogramPairs global(KernelModules modules) {
    return new HistogramPairs(
        modules, modules.kernel(FILE, "pairs_global", GLOBAL_THREADS, 0, 1), GLOBAL_PAIRS);
  }

  /**
   * Returns JWD's kernel with bins in shared memory, or {@link #global} if a left word has too many
   * bins. Only words of about 255 bits on GPUs with 64 KB have.
   */
  static HistogramPairs local(KernelModules modules, Device device, int length) {
    int sharedBytes = localBytes(length);
    return sharedBytes > device.attribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK)
        ? global(modules)
        : new HistogramPairs(
            modules,
            modules.kernel(FILE, "pairs_local", LOCAL_THREADS, sharedBytes, 1),
            LOCAL_PAIRS);
  }

  /**
   * Returns the size of the bins (y, z) of a word of any weight t. There are (t + 1)(n − t + 1) of
   * them, at most for t = n/2. The weights that the caller gives are not trusted.
   */
  private static int localBytes(int length) {
    return (length / 2 + 1) * (length - length / 2 + 1) * Integer.BYTES;
  }

  @Override
  public long maxPairs() {
    return maxPairs;
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
    new PairArguments.Bins(
            memory.left(base, left.getFirst().first()),
            memory.right(base, right.getFirst().first()),
            rows,
            columns,
            memory.bins(base),
            memory.length(),
            memory.wordInts())
        .write(slot.arguments());
    kernel.launchBlocks(slot, rows * columns);
    new PairArguments.Collect(
            memory.bins(base),
            memory.counts(base),
            memory.leftWeights(base),
            memory.rightWeights(base),
            left.getFirst().group(),
            left.size(),
            right.getFirst().group(),
            right.size(),
            memory.right().groups().size(),
            memory.length())
        .write(slot.arguments());
    collect.launchThreads(slot, (long) left.size() * right.size() * (memory.length() + 1));
  }

  private static long count(List<WordRun> runs) {
    return runs.stream().mapToLong(WordRun::count).sum();
  }
}
