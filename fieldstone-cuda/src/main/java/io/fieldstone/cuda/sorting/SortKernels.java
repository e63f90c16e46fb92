package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.sorting.delta.DeltaKernel;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Launches the kernels of sort.cu for items of one layout. Thread-safe. */
final class SortKernels {

  /** Number of values of a digit. */
  static final int RADIX_DIGITS = 256;

  /** The maximum number of parts of a {@code sort_collect}. */
  static final int MAX_PARTS = RADIX_DIGITS;

  /** A {@code struct SortPlan}: the source buffer of each pass, or −1, and that of the result. */
  static final StructLayout PLAN =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(Long.BYTES, JAVA_INT).withName("source"),
          JAVA_INT.withName("result"),
          MemoryLayout.paddingLayout(Integer.BYTES));

  private static final String FILE = "sort";
  private static final int WARP = 32;

  /** Tiles of a launch of {@code sort_pass}, which is limited to 2^30 − 1 items. */
  private static final long PORTION_TILES = 1L << 16;

  private final Programs programs;
  private final SortLayout layout;
  private final SortTuning tuning;

  /** The kernels of all layouts with the same words and kind of key. */
  record Programs(
      GridStrideKernel count,
      Function plan,
      Function pass,
      Function segmentPass,
      GridStrideKernel makeItems,
      GridStrideKernel copyItems,
      GridStrideKernel order,
      GridStrideKernel gather,
      Function segments,
      Function collect,
      GridStrideKernel pack) {

    static Programs find(KernelModules modules, SortTuning.Launches launches, SortLayout layout) {
      int keyWords = layout.keyWords();
      int threads = launches.itemThreads();
      int waves = launches.waves();
      String floating = layout.isFloating() ? "_floating" : "";
      String key = keyWords + floating;
      String kind = "%d_%d%s".formatted(keyWords, layout.words(), floating);
      return new Programs(
          modules.kernel(FILE, "sort_count_" + key, launches.countThreads(), 0, waves),
          modules.function(FILE, "sort_plan"),
          modules.function(FILE, "sort_pass_" + kind),
          modules.function(FILE, "sort_pass_%s_segments".formatted(kind)),
          modules.kernel(FILE, "sort_take", threads, 0, waves),
          modules.kernel(FILE, "sort_give", threads, 0, waves),
          modules.kernel(FILE, "sort_order", threads, 0, waves),
          modules.kernel(FILE, "sort_gather", threads, 0, waves),
          modules.function(FILE, "sort_segments"),
          modules.function(FILE, "sort_collect_" + kind),
          modules.kernel(
              FILE, "sort_pack_" + keyWords, launches.packThreads(), 0, launches.packWaves()));
    }
  }

  /** Caches the kernels of each kind of layout. Thread-safe. */
  static final class Cache {
    private final KernelModules modules;
    private final SortTuning tuning;
    private final Map<String, Programs> programs = new ConcurrentHashMap<>();

    Cache(KernelModules modules, SortTuning tuning) {
      this.modules = modules;
      this.tuning = tuning;
    }

    /** Returns the kernels for items of a layout. */
    SortKernels of(SortLayout layout) {
      String kind = "%d of %d %b".formatted(layout.keyWords(), layout.words(), layout.isFloating());
      Programs found =
          programs.computeIfAbsent(kind, _ -> Programs.find(modules, tuning.launches(), layout));
      return new SortKernels(found, layout, tuning);
    }
  }

  private SortKernels(Programs programs, SortLayout layout, SortTuning tuning) {
    this.programs = programs;
    this.layout = layout;
    this.tuning = tuning;
  }

  SortLayout layout() {
    return layout;
  }

  SortTuning tuning() {
    return tuning;
  }

  /** Returns the number of items that a block of {@code sort_pass} moves. */
  int tileItems() {
    return tuning.launches().tileItems(layout);
  }

  private int passThreads() {
    return tuning.launches().passThreads();
  }

  /** Returns the maximum number of items of a launch of {@code sort_pass}. */
  private long portionItems() {
    return PORTION_TILES * tileItems();
  }

  /** Returns the size of the histograms of all digits. */
  static int histogramBytes() {
    return Long.BYTES * RADIX_DIGITS * Long.BYTES;
  }

  /** Returns the size of the bin offsets of all digits, which are double-buffered. */
  static int binOffsetBytes() {
    return 2 * histogramBytes();
  }

  /** Returns the size of the look-back state of a pass over up to {@code items} items. */
  long lookbackBytes(long items) {
    long tiles = Math.ceilDiv(Math.min(items, portionItems()), tileItems());
    return (1 + tiles) * RADIX_DIGITS * Integer.BYTES;
  }

  /** Adds the histograms of items to those of all digits. */
  void count(StreamSlot slot, long items, long histogram, long count) {
    new SortArguments.Count(items, histogram, count, layout.flip(), layout.words())
        .write(slot.arguments());
    SortTuning.Launches launches = tuning.launches();
    long step = (long) launches.countThreads() * launches.countItems();
    programs.count().launchBlocks(slot, Math.ceilDiv(count, step));
  }

  /** Does the same as {@link #count}, and traces it as a phase. */
  void histogram(StreamSlot slot, long items, long histogram, long count) {
    try (StreamTrace.Open _ = slot.phase("histogram", count * layout.itemBytes())) {
      count(slot, items, histogram, count);
    }
  }

  /** Computes bin offsets and a plan from histograms. */
  void plan(StreamSlot slot, long histogram, long binOffsets, long plan, long count) {
    new SortArguments.Plan(histogram, binOffsets, plan, count, layout.digits())
        .write(slot.arguments());
    slot.launch(programs.plan(), LaunchShape.of(1, RADIX_DIGITS));
  }

  /**
   * Moves items by a digit.
   *
   * @param plan says which buffer has the items; 0 for the current one
   * @param binOffsets of all digits
   */
  void pass(
      StreamSlot slot,
      DoubleBuffer items,
      long plan,
      long binOffsets,
      long lookback,
      long count,
      int digit) {
    int portion = 0;
    for (long first = 0; first < count; first += portionItems()) {
      long portionCount = Math.min(portionItems(), count - first);
      slot.stream().fill(lookback, 0, lookbackBytes(portionCount));
      long ofDigit = binOffsetsOf(binOffsets, digit);
      new SortArguments.Pass(
              items, plan, ofDigit, lookback, first, portionCount, layout.flip(), digit, portion)
          .write(slot.arguments());
      int tiles = (int) Math.ceilDiv(portionCount, tileItems());
      slot.launch(programs.pass(), LaunchShape.of(tiles, passThreads()));
      portion++;
    }
  }

  /**
   * Makes items of records.
   *
   * @param first index of the first record
   */
  void makeItems(StreamSlot slot, long records, long items, long count, long first) {
    int copiedWords = layout.words() - layout.indexWords();
    new SortArguments.Take(
            records, items, count, first, layout.format().bytes(), copiedWords, layout.indexWords())
        .write(slot.arguments());
    programs.makeItems().launchThreads(slot, count);
  }

  /** Copies sorted items, unless they are at {@code to} already. */
  void copyItems(StreamSlot slot, DoubleBuffer items, long plan, long to, long count) {
    writeOutput(slot, items, plan, 0, to, count, layout.itemBytes());
    programs.copyItems().launchThreads(slot, Math.ceilDiv(count * layout.words(), Integer.BYTES));
  }

  /** Writes the indices of sorted items, in 4 or 8 bytes. */
  void order(StreamSlot slot, DoubleBuffer items, long plan, long to, long count, int indexBytes) {
    writeOutput(slot, items, plan, 0, to, count, indexBytes);
    programs.order().launchThreads(slot, count);
  }

  /** Gathers records by the indices of sorted items. */
  void gather(StreamSlot slot, DoubleBuffer items, long plan, long records, long to, long count) {
    int bytes = layout.format().bytes();
    writeOutput(slot, items, plan, records, to, count, bytes);
    programs.gather().launchThreads(slot, count * Math.ceilDiv(bytes, 4 * Integer.BYTES));
  }

  private void writeOutput(
      StreamSlot slot,
      DoubleBuffer items,
      long plan,
      long records,
      long to,
      long count,
      long bytes) {
    new SortArguments.Give(
            items, plan, records, to, count, bytes, layout.words(), layout.indexWords())
        .write(slot.arguments());
  }

  /**
   * Parts of all items, each of which was partitioned by itself.
   *
   * @param items address of the first part; the others follow on
   * @param histograms address of those of the first part; the others follow on
   * @param binOffsets likewise
   * @param partOffsets address of the index of each part's first item, and the number of all items
   * @param count of the parts
   */
  record Parts(long items, long histograms, long binOffsets, long partOffsets, int count) {}

  /**
   * Adds the histograms of parts and makes the segments of the digit that they were partitioned by.
   *
   * @param total receives the sum of the histograms
   * @param table receives {@link SortSegments#TABLE_BYTES}
   * @param plan receives the plan of segments that have been sorted
   */
  void segments(StreamSlot slot, Parts parts, long total, long table, long plan, int digit) {
    new SortArguments.Segments(
            parts.histograms(),
            total,
            table,
            plan,
            tileItems(),
            parts.count(),
            layout.digits(),
            digit)
        .write(slot.arguments());
    slot.launch(programs.segments(), LaunchShape.of(layout.digits(), RADIX_DIGITS));
  }

  /** Gathers segments from parts, and computes the histograms of their lower digits. */
  void collect(StreamSlot slot, Parts parts, SortSegments segments, long to) {
    new SortArguments.Collect(
            parts.items(),
            to,
            binOffsetsOf(parts.binOffsets(), segments.digits()),
            parts.partOffsets(),
            segments.table(),
            segments.histogram(0),
            2L * RADIX_DIGITS * layout.digits(),
            layout.flip(),
            parts.count(),
            segments.bins().first(),
            segments.count(),
            segments.digits())
        .write(slot.arguments());
    slot.launch(programs.collect(), LaunchShape.of(segments.tiles(), passThreads()));
  }

  /** Moves the items of segments by a digit, each within its segment. */
  void pass(StreamSlot slot, DoubleBuffer items, SortSegments segments, int digit) {
    new SortArguments.SegmentPass(
            items,
            segments.table(),
            segments.histogram(digit),
            segments.lookback(digit),
            segments.stride(),
            layout.flip(),
            segments.count(),
            digit)
        .write(slot.arguments());
    LaunchShape shape = LaunchShape.of(segments.tiles(), passThreads());
    slot.launch(programs.segmentPass(), shape);
  }

  /** Returns the address of the bin offsets of a digit among those of all digits. */
  private static long binOffsetsOf(long binOffsets, int digit) {
    return binOffsets + 2L * RADIX_DIGITS * Long.BYTES * digit;
  }

  /**
   * The output of compression.
   *
   * @param rows address of the compressed keys
   * @param directory address of the first row and the difference width of each block
   * @param counters address of 16 bytes of zeros
   * @param rowCount address in pinned memory that receives the number of rows, a {@code long}
   * @param skippedKeys unused places at the start of the first block, fewer than a block has
   */
  record Packing(long rows, long directory, long counters, long rowCount, int skippedKeys) {}

  /** Compresses sorted keys. */
  void pack(StreamSlot slot, DoubleBuffer items, long plan, Packing packing, long count) {
    new SortArguments.Pack(
            items,
            plan,
            packing.rows(),
            packing.directory(),
            packing.counters(),
            packing.rowCount(),
            count,
            layout.flip(),
            layout.isFloating() ? 1 : 0,
            packing.skippedKeys())
        .write(slot.arguments());
    long blocks =
        Math.ceilDiv((packing.skippedKeys() + count) * layout.itemBytes(), DeltaKernel.BLOCK_BYTES);
    programs.pack().launchThreads(slot, blocks * WARP);
  }
}
