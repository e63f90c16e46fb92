package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.memory.CpuInfo;
import java.util.Optional;

/**
 * The sizes with which a kind of processor sorts fastest. They were measured on Zen 4, Zen 5 and
 * Sapphire Rapids ({@code docs/benchmarks/sort.md}).
 *
 * @param runBytes maximum bytes of items that are sorted by one thread without partitioning them
 * @param bucketBytes intended bytes of a bucket of uniform keys, with a margin for uneven ones
 * @param minShared minimum number of items that threads partition together: fewer are sorted before
 *     another thread has woken up
 * @param maxRunBits maximum bits of a digit by which a run is sorted
 */
record SortSizes(long runBytes, long bucketBytes, int minShared, int maxRunBits) {

  /**
   * For Intel. In the second cache, moving a 32-bit key to one of 256 places takes 1.3 ns, to one
   * of 512 1.6, of 1024 2.3, of 2048 2.9. So a run fits into the first two caches with its buffer.
   */
  static final SortSizes INTEL = new SortSizes(128 << 10, 32 << 10, 1 << 14, 9);

  /**
   * For AMD, where each of these moves takes 0.6 ns, and for unknown processors. Two runs exceed
   * the second cache of a core and fit into its share of the third.
   */
  static final SortSizes DEFAULT =
      new SortSizes(SortMemory.Workbench.RUN_BYTES, 128 << 10, 1 << 17, 11);

  /** The sizes for this machine. */
  static final SortSizes HERE = of(CpuInfo.current());

  /** Returns the sizes for a processor. */
  static SortSizes of(CpuInfo processor) {
    return processor.get("vendor_id").equals(Optional.of("GenuineIntel")) ? INTEL : DEFAULT;
  }
}
