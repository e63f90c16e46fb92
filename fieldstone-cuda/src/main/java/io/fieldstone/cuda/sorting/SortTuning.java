package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.driver.Device;
import java.util.List;
import java.util.Map;

/**
 * The constants of a sort that depend on the GPU and on its bus, as the tuning policies of CUB are.
 * An architecture without measurements has those of the nearest older one, or else those of Hopper.
 *
 * @param launches shapes of the kernels
 * @param pieces of an upload
 * @param buckets of a download
 * @param thresholds between methods
 */
record SortTuning(Launches launches, Pieces pieces, Buckets buckets, Thresholds thresholds) {

  /**
   * The shapes of the kernels of sort.cu. One fatbin has the kernels of all architectures, so those
   * that sort.cu repeats are the same in every tuning: {@code SortTuningTest} compares them.
   *
   * @param passThreads of a block of {@code sort_pass} and {@code sort_collect}
   * @param intKeyItems per thread of these, for items of 1, 2 … words, for keys of one word
   * @param longKeyItems likewise, for items of 2, 3 … words, for keys of two words
   * @param countThreads of a block of {@code sort_count}
   * @param countItems that a thread of it loads at a time
   * @param packThreads of a block of {@code sort_pack}
   * @param itemThreads of a block of the kernels that make, copy and gather items
   * @param waves maximum blocks of counting and of these, as a multiple of those that fit the GPU
   * @param packWaves likewise of {@code sort_pack}
   */
  record Launches(
      int passThreads,
      List<Integer> intKeyItems,
      List<Integer> longKeyItems,
      int countThreads,
      int countItems,
      int packThreads,
      int itemThreads,
      int waves,
      int packWaves) {

    /** Returns the number of items that a block of {@code sort_pass} moves. */
    int tileItems(SortLayout layout) {
      List<Integer> items = layout.keyWords() == 1 ? intKeyItems : longKeyItems;
      return passThreads * items.get(layout.words() - layout.keyWords());
    }
  }

  /**
   * The pieces of an upload, behind each of which kernels count or partition its items.
   *
   * @param maxBytes of a piece, unless there were more than {@code maxCount}
   * @param minBytes of a piece
   * @param alignment of pieces that exceed {@code maxBytes}
   * @param count desired
   * @param maxCount maximum number
   * @param minPartitioned minimum number for partitioning during the upload
   */
  record Pieces(
      long maxBytes, long minBytes, long alignment, int count, int maxCount, int minPartitioned) {

    /** Returns the maximum bytes of a piece of an upload of this many bytes. */
    long bytes(long uploadBytes) {
      long desired = Math.clamp(uploadBytes / count, minBytes, maxBytes);
      long min = Math.ceilDiv(uploadBytes, maxCount * alignment) * alignment;
      return Math.max(desired, min);
    }
  }

  /**
   * The buckets of a download, each of which is sorted while earlier ones are downloaded.
   *
   * @param bytes desired of a bucket
   * @param minBytes of a bucket
   * @param firstBytes of the first and the last bucket
   * @param minCount minimum number
   * @param maxExcess maximum items of a bucket, as a multiple of the desired number
   * @param maxCollectedExcess likewise of a bucket that is collected from parts
   * @param depth stream slots of a download
   * @param compressedDepth stream slots of a compressed download
   * @param residentItems desired of a bucket of resident records
   */
  record Buckets(
      long bytes,
      long minBytes,
      long firstBytes,
      int minCount,
      int maxExcess,
      int maxCollectedExcess,
      int depth,
      int compressedDepth,
      long residentItems) {

    /** Returns bucket sizes for items, each of which makes this much output. */
    BucketSizes sizes(long count, long outputBytes) {
      long desired = Math.clamp(count * outputBytes / minCount, minBytes, bytes) / outputBytes;
      return new BucketSizes(Math.max(1, desired), Math.max(1, firstBytes / outputBytes));
    }
  }

  /**
   * The sizes from which {@link AutoSorting} takes another method.
   *
   * @param gpuBytes of host records, from which the GPU is faster than the cores
   * @param bucketBytes of host records, from which buckets are downloaded one by one
   */
  record Thresholds(long gpuBytes, long bucketBytes) {}

  /**
   * Compute capability 9.0, measured on an H200 and an H100, each on PCIe 5 ×16 with 54 GB/s. Other
   * values that were measured are in docs/benchmarks/sort.md.
   */
  private static final SortTuning HOPPER =
      new SortTuning(
          new Launches(
              // Long runs are stored at full speed, and two or three blocks fit the registers and
              // shared memory of a multiprocessor; `sort_timer tiles` times others.
              384,
              List.of(28, 15, 10),
              List.of(13, 9, 7),
              // Those of the other kernels were not varied.
              512,
              8,
              256,
              256,
              4,
              1),
          new Pieces(
              // 0.3 ms on the bus, so that little work follows the last one; pieces of 8 and 32
              // MiB are within 3%, or slower.
              16 << 20,
              // Smaller ones do not hide the fixed costs of each.
              4 << 20,
              // Transfers that begin inside a page are slower.
              1 << 20,
              16,
              // With more, a bucket has too few items of each.
              128,
              // Fewer overlap too little.
              4),
          new Buckets(
              // 0.3 ms on the bus, while the next one is sorted (118 µs for 4·10^6 keys); 8 to 32
              // MiB are within 3%, or slower.
              16 << 20,
              // Smaller ones do not keep a GPU busy.
              1 << 20,
              // Smaller ones cost the host more.
              6 << 20,
              // Fewer overlap too little.
              16,
              // A larger one is partitioned again by its next digit.
              2,
              // A larger one is not collected: all items are counted and partitioned again.
              8,
              4,
              // So that the bus never waits for a sort; five or eight are within 3%, or slower.
              // More
              // need more staging memory, of which less stays in the CPU's caches.
              6,
              // Enough to keep a large GPU busy.
              1 << 24),
          new Thresholds(
              // One core sorts 10^4 keys in the time of the launches, 0.1 ms.
              64 << 10,
              // `packed` has 0.83 of the speed of `serial` for 10^7 keys, 1.07 for 2·10^7.
              80 << 20));

  /** Tunings by the lowest compute capability, times ten, that they are for. */
  private static final Map<Integer, SortTuning> TUNINGS = Map.of(90, HOPPER);

  /** Returns the tuning for the architecture of a GPU. */
  static SortTuning of(Device device) {
    return of(10 * device.major() + device.minor());
  }

  /**
   * Returns the tuning for an architecture.
   *
   * @param capability the compute capability, times ten
   */
  static SortTuning of(int capability) {
    return TUNINGS.entrySet().stream()
        .filter(tuning -> tuning.getKey() <= capability)
        .max(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .orElse(HOPPER);
  }
}
