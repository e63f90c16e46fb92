package io.fieldstone.cuda.weights;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.int32;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.FakeKernel;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.weights.TransformArguments.Count;
import io.fieldstone.cuda.weights.TransformArguments.Exact;
import io.fieldstone.cuda.weights.TransformArguments.First;
import io.fieldstone.cuda.weights.TransformArguments.Images;
import io.fieldstone.cuda.weights.TransformArguments.Last;
import io.fieldstone.cuda.weights.TransformArguments.Middle;
import io.fieldstone.cuda.weights.TransformArguments.Orbits;
import io.fieldstone.cuda.weights.TransformArguments.Products;
import io.fieldstone.engine.weights.TripleSums;
import java.util.Arrays;

/** The kernels of transforms.cu in Java. */
final class FakeTransformKernels {

  private static final int COLUMNS = MessageOrbits.COLUMNS;
  private static final int TILE_BITS = TransformShape.MIN_BITS;
  private static final int UNUSED_WEIGHT = Byte.toUnsignedInt(TransformMemory.UNUSED_WEIGHT);
  private static final int LARGE = Integer.MIN_VALUE;
  private static final int SIDE = TripleSchedule.SIDE;

  private FakeTransformKernels() {}

  static FakeDriver register(FakeDriver driver) {
    for (int bits = 1; bits <= 6; bits++) {
      int some = bits;
      driver.kernel(
          "transform_middle_" + bits,
          Struct.bytes(Middle.class),
          (_, struct) -> middle(Struct.read(struct, Middle.class), some));
    }
    return driver
        .kernel(
            "transform_orbits",
            Struct.bytes(Orbits.class),
            (_, struct) -> orbits(Struct.read(struct, Orbits.class)))
        .kernel(
            "transform_images",
            Struct.bytes(Images.class),
            (_, struct) -> images(Struct.read(struct, Images.class)))
        .kernel(
            "transform_count_128",
            Struct.bytes(Count.class),
            (shape, struct) -> count(shape, Struct.read(struct, Count.class), 4))
        .kernel(
            "transform_count_256",
            Struct.bytes(Count.class),
            (shape, struct) -> count(shape, Struct.read(struct, Count.class), 8))
        .kernel(
            "transform_first",
            Struct.bytes(First.class),
            (shape, struct) -> first(shape, Struct.read(struct, First.class)))
        .kernel(
            "transform_last",
            Struct.bytes(Last.class),
            (shape, struct) -> last(shape, Struct.read(struct, Last.class)))
        .kernel(
            "transform_products",
            Struct.bytes(Products.class),
            (shape, struct) -> products(shape, Struct.read(struct, Products.class)))
        .kernel(
            "transform_products_exact",
            Struct.bytes(Exact.class),
            (shape, struct) -> exact(shape, Struct.read(struct, Exact.class)));
  }

  private static int image(long map, int low) {
    int image = 0;
    for (int rest = low; rest != 0; rest &= rest - 1) {
      image ^= int32(map + 4L * Integer.numberOfTrailingZeros(rest));
    }
    return image;
  }

  private static void orbits(Orbits a) {
    for (int low = 0; low < 1 << a.lowBits(); low++) {
      boolean isSmallest = true;
      for (int i = 0; isSmallest && i < a.symmetries(); i++) {
        isSmallest = image(a.lowImages() + 4L * COLUMNS * i, low) >= low;
      }
      if (isSmallest) {
        if (a.representatives() != 0) {
          set(a.representatives() + 4 * int64(a.count()), low);
        }
        set(a.count(), int64(a.count()) + 1);
      }
    }
  }

  private static void images(Images a) {
    for (long r = 0; r < a.representativeCount(); r++) {
      for (int i = 0; i < a.symmetries(); i++) {
        int image = image(a.lowImages() + 4L * COLUMNS * i, int32(a.representatives() + 4 * r));
        set(a.images() + 4 * (r * a.symmetries() + i), image);
      }
    }
  }

  private record Counting(Count a) {

    /** Returns the index of the weight of each word of a low part, by high part. */
    int[] placesOf(int low) {
      int[] found = new int[1 << a.highBits()];
      int[] word = new int[a.wordInts()];
      for (int bit = 0; bit < a.lowBits(); bit++) {
        if ((low >>> bit & 1) != 0) {
          addRow(word, a.highBits() + bit);
        }
      }
      for (int step = 1; step <= found.length; step++) {
        int ones = 0;
        for (int part : word) {
          ones += Integer.bitCount(part);
        }
        int previous = step - 1;
        found[previous ^ previous >>> 1] = get(a.indexOfWeight() + ones);
        if (step < found.length) {
          addRow(word, Integer.numberOfTrailingZeros(step));
        }
      }
      return found;
    }

    private void addRow(int[] word, int row) {
      for (int part = 0; part < a.wordInts(); part++) {
        word[part] ^= int32(a.basis() + 4L * (row * a.wordInts() + part));
      }
    }
  }

  private static void count(LaunchShape shape, Count a, int wordInts) {
    Counting counting = new Counting(a);
    require(a.wordInts() == wordInts && shape.blockX() == 512, "the kernel");
    int shared = 67_584 + 4224 * wordInts + 272 + 2 * a.slices() * a.symmetries();
    require(shape.sharedBytes() == shared, "the shared memory");
    for (long r = 0; r < a.representativeCount(); r++) {
      int low = a.representatives() == 0 ? (int) r : int32(a.representatives() + 4 * r);
      int[] places = counting.placesOf(low);
      for (int i = 0; i < a.slices() * a.symmetries(); i++) {
        int functional = FakeKernel.memory(a.functionals() + 2L * i, 2).get(JAVA_SHORT, 0) & 0xFFFF;
        int[] sums = new int[2 * a.pairs()];
        for (int high = 0; high < places.length; high++) {
          if (places[high] != UNUSED_WEIGHT) {
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

  private static void first(LaunchShape shape, First a) {
    require(
        shape.gridX() == 1 << (a.paddedBits() - 10) && a.bits() <= 10,
        "a block for 1024 low parts");
    for (long weight = 0; weight < a.weights(); weight++) {
      for (long low = 0; low < 1L << a.paddedBits(); low++) {
        int both = int32(a.values() + 4 * (low * a.pairs() + weight / 2));
        int firstOfBoth = (short) both;
        int value = weight % 2 == 0 ? firstOfBoth : both - firstOfBoth >> 16;
        set(a.transforms() + 4 * ((weight << a.paddedBits()) + low), value);
      }
    }
    for (int bit = 0; bit < a.bits(); bit++) {
      transformBit(a.transforms(), (long) a.weights() << a.paddedBits(), bit);
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

  private static void middle(Middle a, int bits) {
    for (int bit = a.firstBit(); bit < a.firstBit() + bits; bit++) {
      transformBit(a.transforms(), (long) a.weights() << a.paddedBits(), bit);
    }
  }

  private static void last(LaunchShape shape, Last a) {
    require(shape.sharedBytes() == (a.bits() > 6 ? 133_120 : 0), "the shared memory");
    int columns = TILE_BITS - a.bits();
    for (long block = 0; block < shape.gridX(); block++) {
      long weight = block / a.tiles();
      long tile = block % a.tiles();
      long from = (weight << a.paddedBits()) + (a.firstTile() + tile << columns);
      long[] v = new long[1 << TILE_BITS];
      for (int e = 0; e < v.length; e++) {
        long at = ((long) (e >> columns) << (a.paddedBits() - a.bits())) + (e & (1 << columns) - 1);
        v[e] = int32(a.transforms() + 4 * (from + at));
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
        long to = weight * a.pitch() + (tile << TILE_BITS) + e;
        boolean fits = Math.abs(v[e]) < a.limit();
        set(a.values() + 4 * to, fits ? (int) v[e] : LARGE);
        if (!fits) {
          set(a.large() + 8 * to, v[e]);
        }
      }
    }
  }

  private static void products(LaunchShape shape, Products a) {
    require(a.tile() % COLUMNS == 0 && a.count() % a.tile() == 0, "whole tiles");
    require(
        shape.sharedBytes() == 8 * Math.max(2, a.weights()) * (a.tile() + 16), "the shared memory");
    require(shape.gridY() == Math.ceilDiv(a.unitCount(), 12), "warps for all units");
    TripleSums added = new TripleSums(a.weights());
    for (long i = 0; i < a.count(); i++) {
      long[] f = new long[a.weights()];
      boolean isLarge = false;
      for (int weight = 0; weight < a.weights(); weight++) {
        f[weight] = int32(a.values() + 4 * (weight * a.pitch() + i));
        isLarge |= f[weight] == LARGE;
      }
      if (isLarge) {
        set(a.leftOut() + 4L * int32(a.leftOutCount()), (int) i);
        set(a.leftOutCount(), int32(a.leftOutCount()) + 1);
      } else if (Arrays.stream(f).anyMatch(value -> value != 0)) {
        for (int unit = 0; unit < a.unitCount(); unit++) {
          addUnit(a.units() + unit * TripleSchedule.UNIT.byteSize(), f, added);
        }
      }
    }
    addTo(a.sums(), added);
  }

  private static void addUnit(long unit, long[] f, TripleSums sums) {
    int firstC = int32(unit + TripleSchedule.FIRST_C_OFFSET);
    int endC = int32(unit + TripleSchedule.END_C_OFFSET);
    require(endC - firstC <= SIDE, "sixteen c");
    for (int row = 0; row < SIDE; row++) {
      int a = get(unit + TripleSchedule.A_OFFSET + row);
      int b = get(unit + TripleSchedule.B_OFFSET + row);
      for (int c = Math.max(firstC, b); a <= b && c < endC; c++) {
        sums.addProduct(sums.index(a, b, c), f[a], f[b], f[c]);
      }
    }
  }

  private static void exact(LaunchShape shape, Exact a) {
    require(shape.sharedBytes() == 128 * a.weights(), "the shared memory");
    require(shape.gridY() == Math.ceilDiv(a.tripleCount(), 1024), "threads for all triples");
    TripleSums added = new TripleSums(a.weights());
    for (int i = 0; i < int32(a.listCount()); i++) {
      long at = int32(a.list() + 4L * i);
      long[] f = new long[a.weights()];
      for (int weight = 0; weight < a.weights(); weight++) {
        int value = int32(a.values() + 4 * (weight * a.pitch() + at));
        f[weight] = value == LARGE ? int64(a.large() + 8 * (weight * a.pitch() + at)) : value;
      }
      for (int triple = 0; triple < a.tripleCount(); triple++) {
        long t = a.triples() + 4L * triple;
        added.addProduct(triple, f[get(t)], f[get(t + 1)], f[get(t + 2)]);
      }
    }
    addTo(a.sums(), added);
  }

  /** Adds to words of weights 1, 2^32 and 2^64, of which the last two are signed. */
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
