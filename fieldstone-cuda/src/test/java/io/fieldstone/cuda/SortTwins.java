package io.fieldstone.cuda;

import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static io.fieldstone.cuda.KernelTwins.require;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import java.lang.foreign.MemorySegment;

/** What the kernels of sort.cu do, one item after the other. */
final class SortTwins {

  private static final int VALUES = 256;
  private static final int ROW = 64;
  private static final int ROWS = 64;

  private SortTwins() {}

  static FakeDriver register(FakeDriver driver) {
    for (int keyWords = 1; keyWords <= 2; keyWords++) {
      int key = keyWords;
      for (boolean floating : new boolean[] {false, true}) {
        Keys keys = new Keys(key, floating);
        String suffix = floating ? "_floating" : "";
        driver.kernel("sort_count_" + key + suffix, 40, (_, struct) -> count(keys, struct));
        for (int words = key; words <= key + 2; words++) {
          int all = words;
          String kind = "%d_%d%s".formatted(key, words, suffix);
          driver
              .kernel("sort_pass_" + kind, 72, (shape, struct) -> pass(keys, all, shape, struct))
              .kernel(
                  "sort_pass_%s_segments".formatted(kind),
                  64,
                  (shape, struct) -> SegmentPass.of(struct).pass(keys, all, shape))
              .kernel(
                  "sort_collect_" + kind,
                  80,
                  (shape, struct) -> Collected.of(struct).collect(keys, all, shape));
        }
      }
      driver.kernel("sort_pack_" + key, 80, (_, struct) -> pack(key, struct));
    }
    return driver
        .kernel("sort_plan", 40, (_, struct) -> plan(struct))
        .kernel("sort_take", 48, (_, struct) -> take(struct))
        .kernel("sort_give", 64, (_, struct) -> Given.of(struct).give())
        .kernel("sort_order", 64, (_, struct) -> Given.of(struct).order())
        .kernel("sort_gather", 64, (_, struct) -> Given.of(struct).gather())
        .kernel("sort_segments", 56, SortTwins::segments);
  }

  private record Keys(int words, boolean floating) {

    long key(long item) {
      long low = Integer.toUnsignedLong(int32(item));
      return words == 1 ? low : low | (long) int32(item + 4) << 32;
    }

    long rank(long key, long flip) {
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
      return (int) (rank(key(item), flip) >>> (8 * digit)) & (VALUES - 1);
    }

    int digits() {
      return 4 * words;
    }
  }

  private static void count(Keys keys, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long items = struct.int64();
    long counts = struct.int64();
    long count = struct.int64();
    long flip = struct.int64();
    int words = struct.int32();
    for (long i = 0; i < count; i++) {
      for (int digit = 0; digit < keys.digits(); digit++) {
        int value = keys.value(items + 4L * words * i, flip, digit);
        long at = counts + 8L * (VALUES * digit + value);
        set(at, int64(at) + 1);
      }
    }
  }

  private static void plan(MemorySegment memory) {
    Struct struct = new Struct(memory);
    long counts = struct.int64();
    long bases = struct.int64();
    long plan = struct.int64();
    long count = struct.int64();
    int digits = struct.int32();
    int at = 0;
    for (int digit = 0; digit < digits; digit++) {
      long before = 0;
      boolean isShared = false;
      for (int value = 0; value < VALUES; value++) {
        long some = int64(counts + 8L * (VALUES * digit + value));
        set(bases + 8L * (2 * VALUES * digit + value), before);
        before += some;
        isShared |= some == count;
      }
      require(before == count, "all items are counted once");
      set(plan + 4L * digit, isShared ? -1 : at);
      at ^= isShared ? 0 : 1;
    }
    set(plan + 32, at);
  }

  private static void pass(Keys keys, int words, LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long[] items = {struct.int64(), struct.int64()};
    long plan = struct.int64();
    long bases = struct.int64();
    long states = struct.int64();
    long first = struct.int64();
    long count = struct.int64();
    long flip = struct.int64();
    int digit = struct.int32();
    int portion = struct.int32();
    require(count > 0 && count < 1 << 30, "a launch's items");
    require(items[0] % (4L * Integer.lowestOneBit(words)) == 0, "aligned items");
    for (long i = 0; i < (1 + shape.gridX()) * (long) VALUES; i++) {
      require(int32(states + 4 * i) == 0, "states of all tiles, of zeros");
    }
    int source = plan == 0 ? 0 : int32(plan + 4L * digit);
    if (source < 0) {
      return;
    }
    long itemBytes = 4L * words;
    long from = bases + 8L * VALUES * (portion % 2);
    long to = bases + 8L * VALUES * ((portion + 1) % 2);
    for (int value = 0; value < VALUES; value++) {
      set(to + 8L * value, int64(from + 8L * value));
    }
    for (long i = first; i < first + count; i++) {
      long item = items[source] + itemBytes * i;
      long next = to + 8L * keys.value(item, flip, digit);
      long place = int64(next);
      set(next, place + 1);
      MemorySegment.copy(ALL, item, ALL, items[1 - source] + itemBytes * place, itemBytes);
    }
  }

  private static void take(MemorySegment memory) {
    Struct struct = new Struct(memory);
    long records = struct.int64();
    long items = struct.int64();
    long count = struct.int64();
    long first = struct.int64();
    long bytes = struct.int64();
    int taken = struct.int32();
    int indexWords = struct.int32();
    for (long i = 0; i < count; i++) {
      long item = items + 4L * (taken + indexWords) * i;
      MemorySegment.copy(ALL, records + i * bytes, ALL, item, 4L * taken);
      for (int word = 0; word < indexWords; word++) {
        set(item + 4L * (taken + word), (int) ((first + i) >>> (32 * word)));
      }
    }
  }

  private record Given(
      long items, long records, long to, long count, long bytes, int words, int indexWords) {

    static Given of(MemorySegment memory) {
      Struct struct = new Struct(memory);
      long[] items = {struct.int64(), struct.int64()};
      long plan = struct.int64();
      return new Given(
          items[int32(plan + 32)],
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int32(),
          struct.int32());
    }

    private long index(long i) {
      long at = items + 4 * (words * (i + 1) - indexWords);
      long low = Integer.toUnsignedLong(int32(at));
      return indexWords == 1 ? low : low | (long) int32(at + 4) << 32;
    }

    void give() {
      MemorySegment.copy(ALL, items, ALL, to, 4L * words * count);
    }

    void order() {
      for (long i = 0; i < count; i++) {
        if (bytes == 4) {
          set(to + 4 * i, (int) index(i));
        } else {
          set(to + 8 * i, index(i));
        }
      }
    }

    void gather() {
      for (long i = 0; i < count; i++) {
        MemorySegment.copy(ALL, records + bytes * index(i), ALL, to + bytes * i, bytes);
      }
    }
  }

  private static void segments(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long counts = struct.int64();
    long totals = struct.int64();
    long segments = struct.int64();
    long plan = struct.int64();
    long tile = struct.int64();
    int parts = struct.int32();
    int digits = struct.int32();
    int digit = struct.int32();
    require(shape.gridX() == digits, "a block for each digit");
    long first = 0;
    long firstTile = 0;
    for (int i = 0; i < VALUES * digits; i++) {
      long total = 0;
      for (int part = 0; part < parts; part++) {
        total += int64(counts + 8L * (VALUES * digits * part + i));
      }
      set(totals + 8L * i, total);
      if (i / VALUES == digit) {
        setSegment(segments, i % VALUES, first, firstTile);
        first += total;
        firstTile += Math.ceilDiv(total, tile);
      }
    }
    setSegment(segments, VALUES, first, firstTile);
    set(plan + 32, digit % 2);
  }

  private static void setSegment(long segments, int i, long first, long firstTile) {
    set(segments + 16L * i, first);
    set(segments + 16L * i + 8, firstTile);
  }

  /** Where segment i begins, counted from the first one. */
  private static long segmentBegin(long segments, int i) {
    return int64(segments + 16L * i) - int64(segments);
  }

  private static long tiles(long segments, int count) {
    return int64(segments + 16L * count + 8) - int64(segments + 8);
  }

  private record Collected(
      long items,
      long to,
      long bases,
      long firsts,
      long segments,
      long counts,
      long stride,
      long flip,
      int parts,
      int firstValue,
      int values,
      int digits) {

    static Collected of(MemorySegment memory) {
      Struct struct = new Struct(memory);
      return new Collected(
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int32(),
          struct.int32(),
          struct.int32(),
          struct.int32());
    }

    private long begin(int part, int value) {
      long first = int64(firsts + 8L * part);
      return value < VALUES
          ? first + int64(bases + 8L * (part * stride + value))
          : int64(firsts + 8L * (part + 1));
    }

    void collect(Keys keys, int words, LaunchShape shape) {
      require(parts <= VALUES && firstValue + values <= VALUES, "a thread for each");
      require(digits < keys.digits(), "lower digits");
      require(shape.gridX() == tiles(segments, values), "a block for each tile");
      for (int i = 0; i < VALUES * digits * values; i++) {
        require(int32(counts + 4L * i) == 0, "counts, of zeros");
      }
      long itemBytes = 4L * words;
      long place = to;
      for (int i = 0; i < values; i++) {
        require(place == to + itemBytes * segmentBegin(segments, i), "segments where they begin");
        for (int part = 0; part < parts; part++) {
          long end = begin(part, firstValue + i + 1);
          for (long from = begin(part, firstValue + i); from < end; from++) {
            long item = items + itemBytes * from;
            require(keys.value(item, flip, digits) == firstValue + i, "items of the value");
            MemorySegment.copy(ALL, item, ALL, place, itemBytes);
            place += itemBytes;
            count(keys, item, i);
          }
        }
      }
      require(place == to + itemBytes * segmentBegin(segments, values), "all segments");
    }

    private void count(Keys keys, long item, int segment) {
      for (int digit = 0; digit < digits; digit++) {
        int value = keys.value(item, flip, digit);
        long at = counts + 4L * (VALUES * (digits * segment + digit) + value);
        set(at, int32(at) + 1);
      }
    }
  }

  private record SegmentPass(
      long from,
      long to,
      long segments,
      long counts,
      long states,
      long stride,
      long flip,
      int count,
      int digit) {

    static SegmentPass of(MemorySegment memory) {
      Struct struct = new Struct(memory);
      return new SegmentPass(
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int64(),
          struct.int32(),
          struct.int32());
    }

    void pass(Keys keys, int words, LaunchShape shape) {
      require(count > 0 && count <= VALUES, "a thread for each segment");
      require(shape.gridX() == tiles(segments, count), "a block for each tile");
      require(segmentBegin(segments, count) < 1 << 30, "a launch's items");
      require(from % (4L * Integer.lowestOneBit(words)) == 0, "aligned items");
      for (long i = 0; i < (1 + shape.gridX()) * (long) VALUES; i++) {
        require(int32(states + 4 * i) == 0, "states of all tiles, of zeros");
        set(states + 4 * i, 1);
      }
      for (int i = 0; i < count; i++) {
        pass(keys, 4L * words, i);
      }
    }

    private void pass(Keys keys, long itemBytes, int segment) {
      long end = segmentBegin(segments, segment + 1);
      long[] places = new long[VALUES];
      long before = segmentBegin(segments, segment);
      for (int value = 0; value < VALUES; value++) {
        places[value] = before;
        before += int32(counts + 4L * (stride * segment + value));
      }
      require(before == end, "all items are counted once");
      for (long i = segmentBegin(segments, segment); i < end; i++) {
        long item = from + itemBytes * i;
        long place = places[keys.value(item, flip, digit)]++;
        MemorySegment.copy(ALL, item, ALL, to + itemBytes * place, itemBytes);
      }
    }
  }

  private static void pack(int keyWords, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long[] items = {struct.int64(), struct.int64()};
    long keys = items[int32(struct.int64() + 32)];
    long rows = struct.int64();
    long directory = struct.int64();
    long used = struct.int64();
    long told = struct.int64();
    require(int64(used) == 0 && int64(used + 8) == 0, "counters of zeros");
    long count = struct.int64();
    long flip = struct.int64();
    Keys kind = new Keys(keyWords, struct.int32() != 0);
    int before = struct.int32();
    int keyBytes = 4 * keyWords;
    int columns = ROW / keyBytes;
    long blocks = Math.ceilDiv(before + count, (long) columns * ROWS);
    // Any order will do, so another one than the obvious.
    for (long block = blocks - 1; block >= 0; block--) {
      long row = int64(used);
      long first = block * columns * ROWS - before;
      byte[] packed = packBlock(kind, keys, first, count, flip);
      set(directory + 8 * block, (int) row);
      set(directory + 8 * block + 4, packed.length == 1 ? -1 : packed[0]);
      int bytes = packed.length == 1 ? ROWS * ROW : packed.length - 1;
      for (int i = 0; i < bytes; i++) {
        ALL.set(
            JAVA_BYTE,
            rows + row * ROW + i,
            packed.length == 1 ? plainByte(keys, keyBytes, first, count, i) : packed[1 + i]);
      }
      set(used, row + bytes / ROW);
    }
    set(told, int64(used));
  }

  private static byte plainByte(long keys, int keyBytes, long first, long count, int i) {
    long key = Math.clamp(first + i / keyBytes, 0, count - 1);
    return ALL.get(JAVA_BYTE, keys + key * keyBytes + i % keyBytes);
  }

  /** The width and the rows, or nothing but a byte. */
  private static byte[] packBlock(Keys kind, long keys, long first, long count, long flip) {
    int bits = 32 * kind.words();
    int columns = ROW * 8 / bits;
    long[] ranks = new long[columns * ROWS];
    boolean hasNan = false;
    for (int i = 0; i < ranks.length; i++) {
      long key = kind.key(keys + 4L * kind.words() * Math.clamp(first + i, 0, count - 1));
      ranks[i] = kind.rank(key, flip);
      hasNan |= isNan(kind, key);
    }
    long any = 0;
    for (int i = columns; i < ranks.length; i++) {
      require(Long.compareUnsigned(ranks[i], ranks[i - columns]) >= 0, "sorted keys");
      any |= ranks[i] - ranks[i - columns];
    }
    int width = 64 - Long.numberOfLeadingZeros(any);
    int packedRows = Math.ceilDiv(width * ROWS, bits);
    if (hasNan || packedRows + 1 >= ROWS) {
      return new byte[1];
    }
    byte[] packed = new byte[1 + (1 + packedRows) * ROW];
    packed[0] = (byte) width;
    for (int i = 0; i < ranks.length; i++) {
      int column = i % columns;
      if (i < columns) {
        put(packed, 1L * i * bits, ranks[i], bits);
      } else {
        long bit = (long) (i / columns) * width;
        long difference = ranks[i] - ranks[i - columns];
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
