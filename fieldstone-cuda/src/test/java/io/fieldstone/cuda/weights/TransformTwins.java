package io.fieldstone.cuda.weights;

import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static io.fieldstone.cuda.KernelTwins.require;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.FakeKernel;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** What the kernels of transforms.cu do. */
final class TransformTwins {

  private static final int COLUMNS = 32;
  private static final int TILE_BITS = 14;
  private static final int NO_PLACE = 255;
  private static final int LARGE = Integer.MIN_VALUE;
  private static final int UNIT_BYTES = 40;
  private static final int SIDE = 16;

  private TransformTwins() {}

  static FakeDriver register(FakeDriver driver) {
    for (int bits = 1; bits <= 6; bits++) {
      int some = bits;
      driver.kernel("transform_middle_" + bits, 24, (_, struct) -> middle(struct, some));
    }
    return driver
        .kernel("transform_orbits", 32, (_, struct) -> orbits(struct))
        .kernel("transform_images", 40, (_, struct) -> images(struct))
        .kernel("transform_count_128", 96, (shape, struct) -> count(shape, struct, 4))
        .kernel("transform_count_256", 96, (shape, struct) -> count(shape, struct, 8))
        .kernel("transform_first", 32, TransformTwins::first)
        .kernel("transform_last", 64, TransformTwins::last)
        .kernel("transform_products", 72, TransformTwins::products)
        .kernel("transform_products_exact", 72, TransformTwins::exact);
  }

  private static int image(long map, int low) {
    int image = 0;
    for (int rest = low; rest != 0; rest &= rest - 1) {
      image ^= int32(map + 4L * Integer.numberOfTrailingZeros(rest));
    }
    return image;
  }

  private static void orbits(MemorySegment memory) {
    Struct struct = new Struct(memory);
    long maps = struct.int64();
    long representatives = struct.int64();
    long count = struct.int64();
    int symmetries = struct.int32();
    int lowBits = struct.int32();
    for (int low = 0; low < 1 << lowBits; low++) {
      boolean isSmallest = true;
      for (int i = 0; isSmallest && i < symmetries; i++) {
        isSmallest = image(maps + 4L * COLUMNS * i, low) >= low;
      }
      if (isSmallest) {
        if (representatives != 0) {
          set(representatives + 4 * int64(count), low);
        }
        set(count, int64(count) + 1);
      }
    }
  }

  private static void images(MemorySegment memory) {
    Struct struct = new Struct(memory);
    long maps = struct.int64();
    long representatives = struct.int64();
    long images = struct.int64();
    long count = struct.int64();
    int symmetries = struct.int32();
    for (long r = 0; r < count; r++) {
      for (int i = 0; i < symmetries; i++) {
        int image = image(maps + 4L * COLUMNS * i, int32(representatives + 4 * r));
        set(images + 4 * (r * symmetries + i), image);
      }
    }
  }

  /** The members of a {@code struct TransformCountArguments}. */
  private record Counting(
      long basis,
      long places,
      long representatives,
      long images,
      long points,
      long values,
      long pitch,
      long representativeCount,
      int symmetries,
      int slices,
      int highBits,
      int lowBits,
      int length,
      int words,
      int pairs) {

    static Counting of(Struct struct) {
      return new Counting(
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
          struct.int32(),
          struct.int32(),
          struct.int32(),
          struct.int32());
    }

    /** Of the words of one low part with each high part, the places of the weights. */
    int[] placesOf(int low) {
      int[] found = new int[1 << highBits];
      int[] word = new int[words];
      for (int bit = 0; bit < lowBits; bit++) {
        if ((low >>> bit & 1) != 0) {
          addRow(word, highBits + bit);
        }
      }
      for (int step = 1; step <= found.length; step++) {
        int ones = 0;
        for (int part : word) {
          ones += Integer.bitCount(part);
        }
        int previous = step - 1;
        found[previous ^ previous >>> 1] = get(places + ones);
        if (step < found.length) {
          addRow(word, Integer.numberOfTrailingZeros(step));
        }
      }
      return found;
    }

    private void addRow(int[] word, int row) {
      for (int part = 0; part < words; part++) {
        word[part] ^= int32(basis + 4L * (row * words + part));
      }
    }
  }

  private static void count(LaunchShape shape, MemorySegment memory, int words) {
    Counting a = Counting.of(new Struct(memory));
    require(a.words() == words && shape.blockX() == 512, "the kernel");
    int shared = 67_584 + 4224 * words + 272 + 2 * a.slices() * a.symmetries();
    require(shape.sharedBytes() == shared, "the shared memory");
    for (long r = 0; r < a.representativeCount(); r++) {
      int low = a.representatives() == 0 ? (int) r : int32(a.representatives() + 4 * r);
      int[] places = a.placesOf(low);
      for (int i = 0; i < a.slices() * a.symmetries(); i++) {
        int functional = FakeKernel.memory(a.points() + 2L * i, 2).get(JAVA_SHORT, 0) & 0xFFFF;
        int[] sums = new int[2 * a.pairs()];
        for (int high = 0; high < places.length; high++) {
          if (places[high] != NO_PLACE) {
            sums[places[high]] += 1 - 2 * (Integer.bitCount(high & functional) & 1);
          }
        }
        long to = a.representatives() == 0 ? r : int32(a.images() + 4 * (r * a.symmetries() + i));
        for (int pair = 0; pair < a.pairs(); pair++) {
          long at = i / a.symmetries() * a.pitch() + to * a.pairs() + pair;
          set(a.values() + 4 * at, sums[2 * pair] + (sums[2 * pair + 1] << 16));
        }
      }
    }
  }

  private static void first(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long values = struct.int64();
    long transforms = struct.int64();
    int paddedBits = struct.int32();
    int bits = struct.int32();
    int weights = struct.int32();
    int pairs = struct.int32();
    require(shape.gridX() == 1 << (paddedBits - 10) && bits <= 10, "a block for 1024 low parts");
    for (long weight = 0; weight < weights; weight++) {
      for (long low = 0; low < 1L << paddedBits; low++) {
        int both = int32(values + 4 * (low * pairs + weight / 2));
        int firstOfBoth = (short) both;
        int value = weight % 2 == 0 ? firstOfBoth : both - firstOfBoth >> 16;
        set(transforms + 4 * ((weight << paddedBits) + low), value);
      }
    }
    for (int bit = 0; bit < bits; bit++) {
      transformBit(transforms, (long) weights << paddedBits, bit);
    }
  }

  private static void transformBit(long values, long count, int bit) {
    for (long i = 0; i < count; i++) {
      if ((i >>> bit & 1) == 0) {
        long other = values + 4 * (i | 1L << bit);
        int low = int32(values + 4 * i);
        int high = int32(other);
        set(values + 4 * i, Math.addExact(low, high));
        set(other, Math.subtractExact(low, high));
      }
    }
  }

  private static void middle(MemorySegment memory, int bits) {
    Struct struct = new Struct(memory);
    long transforms = struct.int64();
    int paddedBits = struct.int32();
    int firstBit = struct.int32();
    int weights = struct.int32();
    for (int bit = firstBit; bit < firstBit + bits; bit++) {
      transformBit(transforms, (long) weights << paddedBits, bit);
    }
  }

  private static void last(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long transforms = struct.int64();
    long values = struct.int64();
    long large = struct.int64();
    long pitch = struct.int64();
    long firstTile = struct.int64();
    long tiles = struct.int64();
    long limit = struct.int64();
    int paddedBits = struct.int32();
    int bits = struct.int32();
    require(shape.sharedBytes() == (bits > 6 ? 133_120 : 0), "the shared memory");
    int columns = TILE_BITS - bits;
    for (long block = 0; block < shape.gridX(); block++) {
      long weight = block / tiles;
      long tile = block % tiles;
      long from = (weight << paddedBits) + (firstTile + tile << columns);
      long[] v = new long[1 << TILE_BITS];
      for (int e = 0; e < v.length; e++) {
        long at = ((long) (e >> columns) << (paddedBits - bits)) + (e & (1 << columns) - 1);
        v[e] = int32(transforms + 4 * (from + at));
      }
      for (int bit = columns; bit < TILE_BITS; bit++) {
        for (int e = 0; e < v.length; e++) {
          if ((e >> bit & 1) == 0) {
            long sum = v[e] + v[e | 1 << bit];
            v[e | 1 << bit] = v[e] - v[e | 1 << bit];
            v[e] = sum;
          }
        }
      }
      for (int e = 0; e < v.length; e++) {
        long to = weight * pitch + (tile << TILE_BITS) + e;
        boolean fits = Math.abs(v[e]) < limit;
        set(values + 4 * to, fits ? (int) v[e] : LARGE);
        if (!fits) {
          set(large + 8 * to, v[e]);
        }
      }
    }
  }

  private static void products(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long values = struct.int64();
    long pitch = struct.int64();
    long count = struct.int64();
    long units = struct.int64();
    long sums = struct.int64();
    long leftOut = struct.int64();
    long leftOutCount = struct.int64();
    int unitCount = struct.int32();
    int weights = struct.int32();
    int tile = struct.int32();
    require(tile % COLUMNS == 0 && count % tile == 0, "whole tiles");
    require(shape.sharedBytes() == 8 * Math.max(2, weights) * (tile + 16), "the shared memory");
    require(shape.gridY() == Math.ceilDiv(unitCount, 12), "warps for all units");
    TripleSums added = new TripleSums(weights);
    for (long i = 0; i < count; i++) {
      long[] f = new long[weights];
      boolean isLarge = false;
      for (int weight = 0; weight < weights; weight++) {
        f[weight] = int32(values + 4 * (weight * pitch + i));
        isLarge |= f[weight] == LARGE;
      }
      if (isLarge) {
        set(leftOut + 4L * int32(leftOutCount), (int) i);
        set(leftOutCount, int32(leftOutCount) + 1);
      } else if (Arrays.stream(f).anyMatch(value -> value != 0)) {
        for (int unit = 0; unit < unitCount; unit++) {
          addUnit(units + (long) unit * UNIT_BYTES, f, added);
        }
      }
    }
    addTo(sums, added);
  }

  private static void addUnit(long unit, long[] f, TripleSums sums) {
    int firstC = int32(unit + 2 * SIDE);
    int endC = int32(unit + 2 * SIDE + 4);
    require(endC - firstC <= SIDE, "sixteen c");
    for (int row = 0; row < SIDE; row++) {
      int a = get(unit + row);
      int b = get(unit + SIDE + row);
      for (int c = Math.max(firstC, b); a <= b && c < endC; c++) {
        sums.addProduct(sums.index(a, b, c), f[a], f[b], f[c]);
      }
    }
  }

  private static void exact(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory);
    long values = struct.int64();
    long large = struct.int64();
    long pitch = struct.int64();
    long list = struct.int64();
    long listCount = struct.int64();
    struct.int64();
    long triples = struct.int64();
    long sums = struct.int64();
    int tripleCount = struct.int32();
    int weights = struct.int32();
    require(shape.sharedBytes() == 128 * weights, "the shared memory");
    require(shape.gridY() == Math.ceilDiv(tripleCount, 1024), "threads for all triples");
    TripleSums added = new TripleSums(weights);
    for (int i = 0; i < int32(listCount); i++) {
      long at = int32(list + 4L * i);
      long[] f = new long[weights];
      for (int weight = 0; weight < weights; weight++) {
        int value = int32(values + 4 * (weight * pitch + at));
        f[weight] = value == LARGE ? int64(large + 8 * (weight * pitch + at)) : value;
      }
      for (int triple = 0; triple < tripleCount; triple++) {
        long t = triples + 4L * triple;
        added.addProduct(triple, f[get(t)], f[get(t + 1)], f[get(t + 2)]);
      }
    }
    addTo(sums, added);
  }

  /** Adds in words of worth 1, 2^32 and 2^64, of which the last two are signed. */
  private static void addTo(long sums, TripleSums added) {
    long[] halves = added.toArray();
    for (int i = 0; i < halves.length / 2; i++) {
      long at = sums + 24L * i;
      set(at, int64(at) + (halves[2 * i] & 0xFFFF_FFFFL));
      set(at + 8, int64(at + 8) + (halves[2 * i] >>> 32));
      set(at + 16, int64(at + 16) + halves[2 * i + 1]);
    }
  }
}
