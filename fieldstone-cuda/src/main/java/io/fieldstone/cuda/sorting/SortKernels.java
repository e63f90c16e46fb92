package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.sorting.delta.DeltaKernel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The kernels of sort.cu for items of one layout. Thread-safe. */
final class SortKernels {

  /** Values of a digit. */
  static final int VALUES = 256;

  /** Parts that {@code sort_collect} may collect from. */
  static final int MAX_PARTS = VALUES;

  /** A {@code struct SortPlan}. */
  static final int PLAN_BYTES = 40;

  private static final String FILE = "sort";
  private static final int THREADS = 256;
  private static final int WAVES = 4;
  private static final int COUNT_THREADS = 512;

  /** Items that a block counts at a time. */
  private static final int COUNT_STEP = 8 * COUNT_THREADS;

  private static final int PACK_THREADS = 256;
  private static final int WARP = 32;

  /** Tiles of a launch of {@code sort_pass}, which counts fewer than 2^30 items. */
  private static final long PORTION_TILES = 1L << 16;

  private final Programs programs;
  private final SortLayout layout;

  /** Kernels as they are found once for all layouts that share them. */
  record Programs(
      GridStrideKernel count,
      Function plan,
      Function pass,
      Function segmentPass,
      GridStrideKernel take,
      GridStrideKernel give,
      GridStrideKernel order,
      GridStrideKernel gather,
      Function segments,
      Function collect,
      GridStrideKernel pack) {

    static Programs find(KernelModules modules, SortLayout layout) {
      int keyWords = layout.keyWords();
      String floating = layout.isFloating() ? "_floating" : "";
      String count = "sort_count_%d%s".formatted(keyWords, floating);
      String kind = "%d_%d%s".formatted(keyWords, layout.words(), floating);
      return new Programs(
          modules.kernel(FILE, count, COUNT_THREADS, 0, WAVES),
          modules.function(FILE, "sort_plan"),
          modules.function(FILE, "sort_pass_" + kind),
          modules.function(FILE, "sort_pass_%s_segments".formatted(kind)),
          modules.kernel(FILE, "sort_take", THREADS, 0, WAVES),
          modules.kernel(FILE, "sort_give", THREADS, 0, WAVES),
          modules.kernel(FILE, "sort_order", THREADS, 0, WAVES),
          modules.kernel(FILE, "sort_gather", THREADS, 0, WAVES),
          modules.function(FILE, "sort_segments"),
          modules.function(FILE, "sort_collect_" + kind),
          modules.kernel(FILE, "sort_pack_" + keyWords, PACK_THREADS, 0, 1));
    }
  }

  /** Keeps what was found for each kind of layout. Thread-safe. */
  static final class Cache {
    private final KernelModules modules;
    private final Map<String, Programs> programs = new ConcurrentHashMap<>();

    Cache(KernelModules modules) {
      this.modules = modules;
    }

    /** The kernels for items of a layout. */
    SortKernels of(SortLayout layout) {
      String kind = "%d of %d %b".formatted(layout.keyWords(), layout.words(), layout.isFloating());
      return new SortKernels(
          programs.computeIfAbsent(kind, _ -> Programs.find(modules, layout)), layout);
    }
  }

  private SortKernels(Programs programs, SortLayout layout) {
    this.programs = programs;
    this.layout = layout;
  }

  SortLayout layout() {
    return layout;
  }

  /** Items of a launch of {@code sort_pass}. */
  private long portion() {
    return PORTION_TILES * layout.tile();
  }

  /** Bytes of the counts of all digits. */
  static int countBytes() {
    return Long.BYTES * VALUES * Long.BYTES;
  }

  /** Bytes of what the counts make, twice as many. */
  static int baseBytes() {
    return 2 * countBytes();
  }

  /** Bytes of the states of tiles, for up to so many items. */
  long stateBytes(long items) {
    return (1 + Math.ceilDiv(Math.min(items, portion()), layout.tile())) * VALUES * Integer.BYTES;
  }

  /** Adds to the counts of all digits. */
  void count(StreamSlot slot, long items, long counts, long count) {
    slot.arguments()
        .int64(items)
        .int64(counts)
        .int64(count)
        .int64(layout.flip())
        .int32(layout.words())
        .int32(0);
    programs.count().launchBlocks(slot, Math.ceilDiv(count, COUNT_STEP));
  }

  /** As {@link #count}, of items that have just arrived, told of as a phase. */
  void histogram(StreamSlot slot, long items, long counts, long count) {
    try (StreamTrace.Open _ = slot.phase("histogram", count * layout.itemBytes())) {
      count(slot, items, counts, count);
    }
  }

  /** Makes bases and a plan of counts. */
  void plan(StreamSlot slot, long counts, long bases, long plan, long count) {
    slot.arguments()
        .int64(counts)
        .int64(bases)
        .int64(plan)
        .int64(count)
        .int32(layout.digits())
        .int32(0);
    slot.launch(programs.plan(), LaunchShape.of(1, VALUES));
  }

  /**
   * Moves items by a digit.
   *
   * @param plan where the items are; 0 if they are where {@code items} says
   * @param bases of all digits
   */
  void pass(
      StreamSlot slot,
      DoubleBuffer items,
      long plan,
      long bases,
      long states,
      long count,
      int digit) {
    int number = 0;
    for (long first = 0; first < count; first += portion()) {
      long some = Math.min(portion(), count - first);
      slot.stream().fill(states, 0, stateBytes(some));
      slot.arguments()
          .int64(items.here())
          .int64(items.other())
          .int64(plan)
          .int64(basesOf(bases, digit))
          .int64(states)
          .int64(first)
          .int64(some)
          .int64(layout.flip())
          .int32(digit)
          .int32(number);
      int tiles = (int) Math.ceilDiv(some, layout.tile());
      slot.launch(programs.pass(), LaunchShape.of(tiles, SortLayout.PASS_THREADS));
      number++;
    }
  }

  /**
   * Makes items of records.
   *
   * @param first index of the first record
   */
  void makeItems(StreamSlot slot, long records, long items, long count, long first) {
    int taken = layout.words() - layout.indexWords();
    slot.arguments()
        .int64(records)
        .int64(items)
        .int64(count)
        .int64(first)
        .int64(layout.format().bytes())
        .int32(taken)
        .int32(layout.indexWords());
    programs.take().launchThreads(slot, count);
  }

  /** Delivers the items themselves, unless they are there. */
  void copyItems(StreamSlot slot, DoubleBuffer items, long plan, long to, long count) {
    arguments(slot, items, plan, 0, to, count, layout.itemBytes());
    programs.give().launchThreads(slot, Math.ceilDiv(count * layout.words(), Integer.BYTES));
  }

  /** Delivers their indices, of 4 or 8 bytes. */
  void order(StreamSlot slot, DoubleBuffer items, long plan, long to, long count, int indexBytes) {
    arguments(slot, items, plan, 0, to, count, indexBytes);
    programs.order().launchThreads(slot, count);
  }

  /** Delivers the records that their indices are of. */
  void gather(StreamSlot slot, DoubleBuffer items, long plan, long records, long to, long count) {
    int bytes = layout.format().bytes();
    arguments(slot, items, plan, records, to, count, bytes);
    programs.gather().launchThreads(slot, count * Math.ceilDiv(bytes, 4 * Integer.BYTES));
  }

  private void arguments(
      StreamSlot slot,
      DoubleBuffer items,
      long plan,
      long records,
      long to,
      long count,
      long bytes) {
    slot.arguments()
        .int64(items.here())
        .int64(items.other())
        .int64(plan)
        .int64(records)
        .int64(to)
        .int64(count)
        .int64(bytes)
        .int32(layout.words())
        .int32(layout.indexWords());
  }

  /**
   * Parts of all items, each of which has been moved by a digit for itself.
   *
   * @param items address of the first part; the others follow on
   * @param counts of its digits
   * @param bases that these made; twice as far apart
   * @param firsts address of the number of each part's first item, and of all
   * @param count of them
   */
  record Parts(long items, long counts, long bases, long firsts, int count) {}

  /**
   * Adds up what parts have counted, and says where each value of the digit begins that they have
   * been moved by.
   *
   * @param totals for the counts of all digits
   * @param table for {@link SortSegments#TABLE_BYTES}
   * @param plan for one that says where segments are when they have been sorted
   */
  void segments(StreamSlot slot, Parts parts, long totals, long table, long plan, int digit) {
    slot.arguments()
        .int64(parts.counts())
        .int64(totals)
        .int64(table)
        .int64(plan)
        .int64(layout.tile())
        .int32(parts.count())
        .int32(layout.digits())
        .int32(digit)
        .int32(0);
    slot.launch(programs.segments(), LaunchShape.of(layout.digits(), VALUES));
  }

  /** Collects segments from parts, and counts their digits. */
  void collect(StreamSlot slot, Parts parts, SortSegments segments, long to) {
    slot.arguments()
        .int64(parts.items())
        .int64(to)
        .int64(basesOf(parts.bases(), segments.digits()))
        .int64(parts.firsts())
        .int64(segments.table())
        .int64(segments.counts(0))
        .int64(2L * VALUES * layout.digits())
        .int64(layout.flip())
        .int32(parts.count())
        .int32(segments.values().first())
        .int32(segments.count())
        .int32(segments.digits());
    slot.launch(programs.collect(), LaunchShape.of(segments.tiles(), SortLayout.PASS_THREADS));
  }

  /** Moves the items of segments by a digit, each segment within itself. */
  void pass(StreamSlot slot, DoubleBuffer items, SortSegments segments, int digit) {
    slot.arguments()
        .int64(items.here())
        .int64(items.other())
        .int64(segments.table())
        .int64(segments.counts(digit))
        .int64(segments.states(digit))
        .int64(segments.stride())
        .int64(layout.flip())
        .int32(segments.count())
        .int32(digit);
    LaunchShape shape = LaunchShape.of(segments.tiles(), SortLayout.PASS_THREADS);
    slot.launch(programs.segmentPass(), shape);
  }

  /** Address of the bases of a digit among those of all. */
  static long basesOf(long bases, int digit) {
    return bases + 2L * VALUES * Long.BYTES * digit;
  }

  /**
   * Addresses of what packing writes.
   *
   * @param rows packed keys, without gaps
   * @param directory where blocks begin
   * @param used counts rows and blocks: 16 bytes of zeros
   * @param told in pinned memory: the number of rows, a {@code long}
   * @param before places of the first block that no keys are for, less than a block has
   */
  record Packing(long rows, long directory, long used, long told, int before) {}

  /** Packs sorted keys. */
  void pack(StreamSlot slot, DoubleBuffer items, long plan, Packing packing, long count) {
    slot.arguments()
        .int64(items.here())
        .int64(items.other())
        .int64(plan)
        .int64(packing.rows())
        .int64(packing.directory())
        .int64(packing.used())
        .int64(packing.told())
        .int64(count)
        .int64(layout.flip())
        .int32(layout.isFloating() ? 1 : 0)
        .int32(packing.before());
    long blocks =
        Math.ceilDiv((packing.before() + count) * layout.itemBytes(), DeltaKernel.BLOCK_BYTES);
    programs.pack().launchThreads(slot, blocks * WARP);
  }
}
