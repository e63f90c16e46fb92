package io.fieldstone.cuda.sorting;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cuda.GpuMemory;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.sorting.SortArguments.Collect;
import io.fieldstone.cuda.sorting.SortArguments.Count;
import io.fieldstone.cuda.sorting.SortArguments.Give;
import io.fieldstone.cuda.sorting.SortArguments.Pack;
import io.fieldstone.cuda.sorting.SortArguments.Pass;
import io.fieldstone.cuda.sorting.SortArguments.Plan;
import io.fieldstone.cuda.sorting.SortArguments.SegmentPass;
import io.fieldstone.cuda.sorting.SortArguments.Segments;
import io.fieldstone.cuda.sorting.SortArguments.Take;
import io.fieldstone.cuda.sorting.delta.DeltaKernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Map;

/** The kernels of sort.cu in Java, one item after the other. */
public final class FakeSortKernels {

  private static final int RADIX_DIGITS = SortKernels.RADIX_DIGITS;
  private static final int ROW = DeltaKernel.ROW_BYTES;
  private static final int ROWS = DeltaKernel.ROWS;

  private static final long PLAN_SOURCE = SortKernels.PLAN.byteOffset(groupElement("source"));
  private static final long PLAN_RESULT = SortKernels.PLAN.byteOffset(groupElement("result"));

  private FakeSortKernels() {}

  /** Returns the records that describe structs, by the names of the CUDA source. */
  public static Map<String, Class<? extends Record>> structs() {
    return Map.ofEntries(
        Map.entry("SortCountArguments", Count.class),
        Map.entry("SortPlanArguments", Plan.class),
        Map.entry("SortPassArguments", Pass.class),
        Map.entry("SortTakeArguments", Take.class),
        Map.entry("SortGiveArguments", Give.class),
        Map.entry("SortSegmentsArguments", Segments.class),
        Map.entry("SortCollectArguments", Collect.class),
        Map.entry("SortSegmentPassArguments", SegmentPass.class),
        Map.entry("SortPackArguments", Pack.class),
        Map.entry("SortSegment", SortSegments.Entry.class));
  }

  /** Returns the layouts of structs, by the names of the CUDA source. */
  public static Map<String, StructLayout> layouts() {
    return Map.of("SortPlan", SortKernels.PLAN);
  }

  public static FakeDriver register(FakeDriver driver) {
    for (int keyWords = 1; keyWords <= 2; keyWords++) {
      int key = keyWords;
      for (boolean floating : new boolean[] {false, true}) {
        Keys keys = new Keys(key, floating);
        String suffix = floating ? "_floating" : "";
        driver.kernel(
            "sort_count_" + key + suffix,
            Struct.bytes(Count.class),
            (_, struct) -> count(keys, Struct.read(struct, Count.class)));
        for (int words = key; words <= key + 2; words++) {
          int all = words;
          String kind = "%d_%d%s".formatted(key, words, suffix);
          driver
              .kernel(
                  "sort_pass_" + kind,
                  Struct.bytes(Pass.class),
                  (shape, struct) -> pass(keys, all, shape, Struct.read(struct, Pass.class)))
              .kernel(
                  "sort_pass_%s_segments".formatted(kind),
                  Struct.bytes(SegmentPass.class),
                  (shape, struct) ->
                      passSegments(keys, all, shape, Struct.read(struct, SegmentPass.class)))
              .kernel(
                  "sort_collect_" + kind,
                  Struct.bytes(Collect.class),
                  (shape, struct) ->
                      new Collecting(Struct.read(struct, Collect.class)).collect(keys, all, shape));
        }
      }
      driver.kernel(
          "sort_pack_" + key,
          Struct.bytes(Pack.class),
          (_, struct) -> pack(key, Struct.read(struct, Pack.class)));
    }
    return driver
        .kernel(
            "sort_plan",
            Struct.bytes(Plan.class),
            (_, struct) -> plan(Struct.read(struct, Plan.class)))
        .kernel(
            "sort_take",
            Struct.bytes(Take.class),
            (_, struct) -> makeItems(Struct.read(struct, Take.class)))
        .kernel("sort_give", Struct.bytes(Give.class), (_, struct) -> Writer.of(struct).copyItems())
        .kernel("sort_order", Struct.bytes(Give.class), (_, struct) -> Writer.of(struct).order())
        .kernel("sort_gather", Struct.bytes(Give.class), (_, struct) -> Writer.of(struct).gather())
        .kernel(
            "sort_segments",
            Struct.bytes(Segments.class),
            (shape, struct) -> segments(shape, Struct.read(struct, Segments.class)));
  }

  public record Keys(int words, boolean floating) {

    /** Reads the key of an item. */
    public long key(long item) {
      long low = Integer.toUnsignedLong(int32(item));
      return words == 1 ? low : low | (long) int32(item + 4) << 32;
    }

    /** Returns a key in the order of its bits. */
    public long bitOrdered(long key, long flip) {
      if (words == 1) {
        int bits = (int) key;
        if (floating) {
          int number = Float.floatToIntBits(Float.intBitsToFloat(bits));
          bits = number < 0 ? ~number : number | Integer.MIN_VALUE;
        }
        return Integer.toUnsignedLong(bits ^ (int) flip);
      }
      if (floating) {
        long number = Double.doubleToLongBits(Double.longBitsToDouble(key));
        return (number < 0 ? ~number : number | Long.MIN_VALUE) ^ flip;
      }
      return key ^ flip;
    }

    int value(long item, long flip, int digit) {
      return (int) (bitOrdered(key(item), flip) >>> (8 * digit)) & (RADIX_DIGITS - 1);
    }

    int digits() {
      return 4 * words;
    }
  }

  private static void count(Keys keys, Count a) {
    for (long i = 0; i < a.count(); i++) {
      for (int digit = 0; digit < keys.digits(); digit++) {
        int value = keys.value(a.items() + 4L * a.words() * i, a.flip(), digit);
        long at = a.histogram() + 8L * (RADIX_DIGITS * digit + value);
        set(at, int64(at) + 1);
      }
    }
  }

  private static void plan(Plan a) {
    int source = 0;
    for (int digit = 0; digit < a.digits(); digit++) {
      long before = 0;
      boolean isShared = false;
      for (int value = 0; value < RADIX_DIGITS; value++) {
        long inBin = int64(a.histogram() + 8L * (RADIX_DIGITS * digit + value));
        set(a.binOffsets() + 8L * (2 * RADIX_DIGITS * digit + value), before);
        before += inBin;
        isShared |= inBin == a.count();
      }
      require(before == a.count(), "all items are counted once");
      set(a.plan() + PLAN_SOURCE + 4L * digit, isShared ? -1 : source);
      source ^= isShared ? 0 : 1;
    }
    set(a.plan() + PLAN_RESULT, source);
  }

  private static long buffer(DoubleBuffer items, int number) {
    return number == 0 ? items.current() : items.alternate();
  }

  private static void pass(Keys keys, int words, LaunchShape shape, Pass a) {
    require(a.count() > 0 && a.count() < 1 << 30, "a launch's items");
    require(a.items().current() % (4L * Integer.lowestOneBit(words)) == 0, "aligned items");
    for (long i = 0; i < (1 + shape.gridX()) * (long) RADIX_DIGITS; i++) {
      require(int32(a.lookback() + 4 * i) == 0, "look-back words of all tiles, of zeros");
    }
    int source = a.plan() == 0 ? 0 : int32(a.plan() + PLAN_SOURCE + 4L * a.digit());
    if (source < 0) {
      return;
    }
    long itemBytes = 4L * words;
    long from = a.binOffsets() + 8L * RADIX_DIGITS * (a.portion() % 2);
    long to = a.binOffsets() + 8L * RADIX_DIGITS * ((a.portion() + 1) % 2);
    for (int value = 0; value < RADIX_DIGITS; value++) {
      set(to + 8L * value, int64(from + 8L * value));
    }
    for (long i = a.first(); i < a.first() + a.count(); i++) {
      long item = buffer(a.items(), source) + itemBytes * i;
      long next = to + 8L * keys.value(item, a.flip(), a.digit());
      long place = int64(next);
      set(next, place + 1);
      MemorySegment.copy(
          ALL, item, ALL, buffer(a.items(), 1 - source) + itemBytes * place, itemBytes);
    }
  }

  private static void makeItems(Take a) {
    for (long i = 0; i < a.count(); i++) {
      long item = a.items() + 4L * (a.copiedWords() + a.indexWords()) * i;
      MemorySegment.copy(ALL, a.records() + i * a.recordBytes(), ALL, item, 4L * a.copiedWords());
      for (int word = 0; word < a.indexWords(); word++) {
        set(item + 4L * (a.copiedWords() + word), (int) ((a.first() + i) >>> (32 * word)));
      }
    }
  }

  private record Writer(Give a, long items) {

    static Writer of(MemorySegment memory) {
      Give a = Struct.read(memory, Give.class);
      return new Writer(a, buffer(a.items(), int32(a.plan() + PLAN_RESULT)));
    }

    private long index(long i) {
      long at = items + 4 * (a.words() * (i + 1) - a.indexWords());
      long low = Integer.toUnsignedLong(int32(at));
      return a.indexWords() == 1 ? low : low | (long) int32(at + 4) << 32;
    }

    void copyItems() {
      MemorySegment.copy(ALL, items, ALL, a.to(), 4L * a.words() * a.count());
    }

    void order() {
      for (long i = 0; i < a.count(); i++) {
        if (a.bytes() == 4) {
          set(a.to() + 4 * i, (int) index(i));
        } else {
          set(a.to() + 8 * i, index(i));
        }
      }
    }

    void gather() {
      long bytes = a.bytes();
      for (long i = 0; i < a.count(); i++) {
        MemorySegment.copy(ALL, a.records() + bytes * index(i), ALL, a.to() + bytes * i, bytes);
      }
    }
  }

  private static void segments(LaunchShape shape, Segments a) {
    require(shape.gridX() == a.digits(), "a block for each digit");
    long first = 0;
    long firstTile = 0;
    for (int i = 0; i < RADIX_DIGITS * a.digits(); i++) {
      long total = 0;
      for (int part = 0; part < a.parts(); part++) {
        total += int64(a.histograms() + 8L * (RADIX_DIGITS * a.digits() * part + i));
      }
      set(a.total() + 8L * i, total);
      if (i / RADIX_DIGITS == a.digit()) {
        setSegment(a.segments(), i % RADIX_DIGITS, first, firstTile);
        first += total;
        firstTile += Math.ceilDiv(total, a.tileItems());
      }
    }
    setSegment(a.segments(), RADIX_DIGITS, first, firstTile);
    set(a.plan() + PLAN_RESULT, a.digit() % 2);
  }

  private static void setSegment(long segments, int i, long first, long firstTile) {
    GpuMemory.set(entry(segments, i), new SortSegments.Entry(first, firstTile));
  }

  private static long entry(long segments, int i) {
    return segments + (long) SortSegments.Entry.BYTES * i;
  }

  private static SortSegments.Entry segment(long segments, int i) {
    return GpuMemory.struct(entry(segments, i), SortSegments.Entry.class);
  }

  /** Returns the first item of segment i, relative to segment 0. */
  private static long segmentBegin(long segments, int i) {
    return segment(segments, i).first() - segment(segments, 0).first();
  }

  private static long tiles(long segments, int count) {
    return segment(segments, count).firstTile() - segment(segments, 0).firstTile();
  }

  private record Collecting(Collect a) {

    private long begin(int part, int bin) {
      long first = int64(a.partOffsets() + 8L * part);
      return bin < RADIX_DIGITS
          ? first + int64(a.binOffsets() + 8L * (part * a.stride() + bin))
          : int64(a.partOffsets() + 8L * (part + 1));
    }

    void collect(Keys keys, int words, LaunchShape shape) {
      require(
          a.parts() <= RADIX_DIGITS && a.firstBin() + a.bins() <= RADIX_DIGITS,
          "a thread for each");
      require(a.digits() < keys.digits(), "lower digits");
      require(shape.gridX() == tiles(a.segments(), a.bins()), "a block for each tile");
      for (int i = 0; i < RADIX_DIGITS * a.digits() * a.bins(); i++) {
        require(int32(a.histograms() + 4L * i) == 0, "counts, of zeros");
      }
      long itemBytes = 4L * words;
      long place = a.to();
      for (int i = 0; i < a.bins(); i++) {
        require(
            place == a.to() + itemBytes * segmentBegin(a.segments(), i),
            "segments where they begin");
        for (int part = 0; part < a.parts(); part++) {
          long end = begin(part, a.firstBin() + i + 1);
          for (long from = begin(part, a.firstBin() + i); from < end; from++) {
            long item = a.items() + itemBytes * from;
            require(
                keys.value(item, a.flip(), a.digits()) == a.firstBin() + i, "items of the value");
            MemorySegment.copy(ALL, item, ALL, place, itemBytes);
            place += itemBytes;
            count(keys, item, i);
          }
        }
      }
      require(place == a.to() + itemBytes * segmentBegin(a.segments(), a.bins()), "all segments");
    }

    private void count(Keys keys, long item, int segment) {
      for (int digit = 0; digit < a.digits(); digit++) {
        int value = keys.value(item, a.flip(), digit);
        long at = a.histograms() + 4L * (RADIX_DIGITS * (a.digits() * segment + digit) + value);
        set(at, int32(at) + 1);
      }
    }
  }

  private static void passSegments(Keys keys, int words, LaunchShape shape, SegmentPass a) {
    require(a.count() > 0 && a.count() <= RADIX_DIGITS, "a thread for each segment");
    require(shape.gridX() == tiles(a.segments(), a.count()), "a block for each tile");
    require(segmentBegin(a.segments(), a.count()) < 1 << 30, "a launch's items");
    require(a.items().current() % (4L * Integer.lowestOneBit(words)) == 0, "aligned items");
    for (long i = 0; i < (1 + shape.gridX()) * (long) RADIX_DIGITS; i++) {
      require(int32(a.lookback() + 4 * i) == 0, "look-back words of all tiles, of zeros");
      set(a.lookback() + 4 * i, 1);
    }
    for (int i = 0; i < a.count(); i++) {
      passSegment(keys, 4L * words, a, i);
    }
  }

  private static void passSegment(Keys keys, long itemBytes, SegmentPass a, int segment) {
    long end = segmentBegin(a.segments(), segment + 1);
    long[] places = new long[RADIX_DIGITS];
    long before = segmentBegin(a.segments(), segment);
    for (int value = 0; value < RADIX_DIGITS; value++) {
      places[value] = before;
      before += int32(a.histogram() + 4L * (a.stride() * segment + value));
    }
    require(before == end, "all items are counted once");
    for (long i = segmentBegin(a.segments(), segment); i < end; i++) {
      long item = a.items().current() + itemBytes * i;
      long place = places[keys.value(item, a.flip(), a.digit())]++;
      MemorySegment.copy(ALL, item, ALL, a.items().alternate() + itemBytes * place, itemBytes);
    }
  }

  private static void pack(int keyWords, Pack a) {
    long keys = buffer(a.items(), int32(a.plan() + PLAN_RESULT));
    require(int64(a.counters()) == 0 && int64(a.counters() + 8) == 0, "counters of zeros");
    Keys kind = new Keys(keyWords, a.floating() != 0);
    int keyBytes = 4 * keyWords;
    int columns = ROW / keyBytes;
    long blocks = Math.ceilDiv(a.skippedKeys() + a.count(), (long) columns * ROWS);
    // Any order of blocks is allowed, so this one differs from the obvious one.
    for (long block = blocks - 1; block >= 0; block--) {
      long row = int64(a.counters());
      long first = block * columns * ROWS - a.skippedKeys();
      byte[] packed = packBlock(kind, keys, first, a.count(), a.flip());
      set(a.directory() + 8 * block, (int) row);
      set(a.directory() + 8 * block + 4, packed.length == 1 ? -1 : packed[0]);
      int bytes = packed.length == 1 ? ROWS * ROW : packed.length - 1;
      for (int i = 0; i < bytes; i++) {
        ALL.set(
            JAVA_BYTE,
            a.rows() + row * ROW + i,
            packed.length == 1 ? plainByte(keys, keyBytes, first, a.count(), i) : packed[1 + i]);
      }
      set(a.counters(), row + bytes / ROW);
    }
    set(a.rowCount(), int64(a.counters()));
  }

  private static byte plainByte(long keys, int keyBytes, long first, long count, int i) {
    long key = Math.clamp(first + i / keyBytes, 0, count - 1);
    return ALL.get(JAVA_BYTE, keys + key * keyBytes + i % keyBytes);
  }

  /** Returns the width and the rows, or one byte if the block is not compressed. */
  private static byte[] packBlock(Keys kind, long keys, long first, long count, long flip) {
    int bits = 32 * kind.words();
    int columns = ROW * 8 / bits;
    long[] ordered = new long[columns * ROWS];
    boolean hasNan = false;
    for (int i = 0; i < ordered.length; i++) {
      long key = kind.key(keys + 4L * kind.words() * Math.clamp(first + i, 0, count - 1));
      ordered[i] = kind.bitOrdered(key, flip);
      hasNan |= isNan(kind, key);
    }
    long any = 0;
    for (int i = columns; i < ordered.length; i++) {
      require(Long.compareUnsigned(ordered[i], ordered[i - columns]) >= 0, "sorted keys");
      any |= ordered[i] - ordered[i - columns];
    }
    int width = 64 - Long.numberOfLeadingZeros(any);
    int packedRows = Math.ceilDiv(width * ROWS, bits);
    if (hasNan || packedRows + 1 >= ROWS) {
      return new byte[1];
    }
    byte[] packed = new byte[1 + (1 + packedRows) * ROW];
    packed[0] = (byte) width;
    for (int i = 0; i < ordered.length; i++) {
      int column = i % columns;
      if (i < columns) {
        put(packed, 1L * i * bits, ordered[i], bits);
      } else {
        long bit = (long) (i / columns) * width;
        long difference = ordered[i] - ordered[i - columns];
        for (int j = 0; j < width; j++) {
          long word = (bit + j) / bits;
          long at = ((1 + word) * columns + column) * bits + (bit + j) % bits;
          put(packed, at, difference >>> j & 1, 1);
        }
      }
    }
    return packed;
  }

  private static boolean isNan(Keys kind, long key) {
    return kind.floating()
        && (kind.words() == 1
            ? Float.isNaN(Float.intBitsToFloat((int) key))
            : Double.isNaN(Double.longBitsToDouble(key)));
  }

  private static void put(byte[] packed, long bit, long value, int bits) {
    for (int i = 0; i < bits; i++) {
      packed[1 + (int) ((bit + i) / 8)] |= (byte) ((value >>> i & 1) << ((bit + i) % 8));
    }
  }
}
