package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static jdk.incubator.vector.VectorOperators.BIT_COUNT;
import static jdk.incubator.vector.VectorOperators.LSHL;

import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WordGroups;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Counts pairs by popcounts in vector lanes. Within groups of equal weight only x, the number of
 * common ones, varies, so there is no histogram of (x, y, z). The x of one u and a tile of words v
 * are packed into bytes, which are compared with each value of x. In a code there are few values,
 * one for each weight of u + v. The values seen so far are tried, the most frequent first, until
 * all words of the tile are counted. A row with a new value is processed byte by byte.
 *
 * <p>A tile of right words stays in L1 during the loop over left words. Each 64-bit part has its
 * own array, so that a vector holds the same part of eight words.
 */
final class VectorPairs implements PairKernel {

  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int V = LONGS.vectorByteSize();

  /** The number of right words whose x fill one vector of bytes. */
  private static final int BLOCK = BYTES.length();

  /** The number of right words in a tile: with 128 bits each, they fill most of L1. */
  private static final int TILE = 1536 / BLOCK * BLOCK;

  private static final long ALIGNMENT = 64;

  private final PlainWords left;
  private final PlainWords right;
  private final MemorySegment memory;
  private final long parts;
  private final long partBytes;

  VectorPairs(WordGroups left, WordGroups right) {
    this.left = PlainWords.of(left.words());
    this.right = PlainWords.of(right.words());
    this.partBytes = (right.words().count() + BLOCK) * Long.BYTES;
    this.memory = Arena.ofAuto().allocate(partBytes * this.right.longs(), ALIGNMENT);
    this.parts = memory.address();
    for (int part = 0; part < this.right.longs(); part++) {
      for (int word = 0; word < this.right.count(); word++) {
        MEMORY.set(
            JAVA_LONG,
            parts + part * partBytes + (long) word * Long.BYTES,
            this.right.get(word, part));
      }
    }
  }

  @Override
  public void count(
      long firstLeft,
      long endLeft,
      int leftWeight,
      long firstRight,
      long endRight,
      int rightWeight,
      long[] byCommonOnes) {
    Seen seen = new Seen(byCommonOnes);
    try (Arena arena = Arena.ofConfined()) {
      long packed = arena.allocate(TILE, ALIGNMENT).address();
      // Vectors start at cache lines and end at the last whole block.
      long first = Math.min(endRight, (firstRight + LONGS.length() - 1) & -LONGS.length());
      long end = first + (endRight - first) / BLOCK * BLOCK;
      for (long tile = first; tile < end; tile += TILE) {
        int words = (int) Math.min(TILE, end - tile);
        for (int u = (int) firstLeft; u < endLeft; u++) {
          pack(u, parts + tile * Long.BYTES, words, packed);
          seen.count(packed, words);
        }
      }
      for (int u = (int) firstLeft; u < endLeft; u++) {
        countPlainly(u, firstRight, first, byCommonOnes);
        countPlainly(u, end, endRight, byCommonOnes);
      }
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  private void countPlainly(int u, long first, long end, long[] byCommonOnes) {
    for (int v = (int) first; v < end; v++) {
      int x = 0;
      for (int part = 0; part < left.longs(); part++) {
        x += Long.bitCount(left.get(u, part) & right.get(v, part));
      }
      byCommonOnes[x]++;
    }
  }

  /** Packs the x of one left word and a tile into bytes, in any order within a block. */
  private void pack(int u, long tile, int words, long packed) {
    if (left.longs() == 2) {
      pack(left.get(u, 0), left.get(u, 1), tile, tile + partBytes, words, packed, false);
    } else {
      pack(left.get(u, 0), left.get(u, 1), tile, tile + partBytes, words, packed, false);
      long upper = tile + 2 * partBytes;
      pack(left.get(u, 2), left.get(u, 3), upper, upper + partBytes, words, packed, true);
    }
  }

  private static void pack(
      long u0, long u1, long part0, long part1, int words, long packed, boolean accumulate) {
    LongVector a = LongVector.broadcast(LONGS, u0);
    LongVector b = LongVector.broadcast(LONGS, u1);
    for (long word = 0; word < words; word += BLOCK) {
      long p = part0 + word * Long.BYTES;
      long q = part1 + word * Long.BYTES;
      LongVector x0 = common(a, b, p, q);
      LongVector x1 = common(a, b, p + V, q + V);
      LongVector x2 = common(a, b, p + 2 * V, q + 2 * V);
      LongVector x3 = common(a, b, p + 3 * V, q + 3 * V);
      LongVector x4 = common(a, b, p + 4 * V, q + 4 * V);
      LongVector x5 = common(a, b, p + 5 * V, q + 5 * V);
      LongVector x6 = common(a, b, p + 6 * V, q + 6 * V);
      LongVector x7 = common(a, b, p + 7 * V, q + 7 * V);
      LongVector x01 = x0.or(x1.lanewise(LSHL, 8));
      LongVector x23 = x2.or(x3.lanewise(LSHL, 8));
      LongVector x45 = x4.or(x5.lanewise(LSHL, 8));
      LongVector x67 = x6.or(x7.lanewise(LSHL, 8));
      LongVector x0123 = x01.or(x23.lanewise(LSHL, 16));
      LongVector x4567 = x45.or(x67.lanewise(LSHL, 16));
      LongVector all = x0123.or(x4567.lanewise(LSHL, 32));
      if (accumulate) {
        // Bytes do not overflow: x is at most 255.
        all = all.add(LongVector.fromMemorySegment(LONGS, MEMORY, packed + word, ORDER));
      }
      all.intoMemorySegment(MEMORY, packed + word, ORDER);
    }
  }

  private static LongVector common(LongVector a, LongVector b, long p, long q) {
    LongVector low = LongVector.fromMemorySegment(LONGS, MEMORY, p, ORDER).and(a);
    LongVector high = LongVector.fromMemorySegment(LONGS, MEMORY, q, ORDER).and(b);
    return low.lanewise(BIT_COUNT).add(high.lanewise(BIT_COUNT));
  }

  /** The values of x seen so far, the most frequent first. */
  private static final class Seen {

    /** The number of rows after which the values are sorted again. */
    private static final int ROWS = 1024;

    /** The number of values that are compared per load of a vector. */
    private static final int AT_ONCE = 3;

    private final long[] byCommonOnes;
    private final int[] values = new int[BinaryWords.MAX_BITS + AT_ONCE];
    private final boolean[] isSeen = new boolean[BinaryWords.MAX_BITS];
    private int count;
    private int rows;

    Seen(long[] byCommonOnes) {
      this.byCommonOnes = byCommonOnes;
    }

    void count(long packed, int words) {
      if (rows++ % ROWS == 0) {
        sort();
      }
      int missing = words;
      for (int i = 0; i < count && missing > 0; i += AT_ONCE) {
        missing -= countThree(packed, words, i);
      }
      if (missing > 0) {
        addNew(packed, words);
      }
    }

    /** Counts the words with each of three values and returns their total. */
    private int countThree(long packed, int words, int first) {
      ByteVector a = ByteVector.broadcast(BYTES, (byte) values[first]);
      ByteVector b = ByteVector.broadcast(BYTES, (byte) values[first + 1]);
      ByteVector c = ByteVector.broadcast(BYTES, (byte) values[first + 2]);
      int equalA = 0;
      int equalB = 0;
      int equalC = 0;
      for (long at = 0; at < words; at += BLOCK) {
        ByteVector x = ByteVector.fromMemorySegment(BYTES, MEMORY, packed + at, ORDER);
        equalA += x.eq(a).trueCount();
        equalB += x.eq(b).trueCount();
        equalC += x.eq(c).trueCount();
      }
      return take(first, equalA) + take(first + 1, equalB) + take(first + 2, equalC);
    }

    private int take(int place, int equal) {
      if (place >= count) {
        return 0;
      }
      byCommonOnes[values[place]] += equal;
      return equal;
    }

    private void addNew(long packed, int words) {
      int before = count;
      for (long at = 0; at < words; at++) {
        int x = MEMORY.get(JAVA_BYTE, packed + at) & 0xFF;
        if (!isSeen[x]) {
          isSeen[x] = true;
          values[count++] = x;
        }
      }
      for (int i = before; i < count; i++) {
        for (long at = 0; at < words; at++) {
          byCommonOnes[values[i]] +=
              (MEMORY.get(JAVA_BYTE, packed + at) & 0xFF) == values[i] ? 1 : 0;
        }
      }
    }

    private void sort() {
      Integer[] sorted = Arrays.stream(values, 0, count).boxed().toArray(Integer[]::new);
      Arrays.sort(sorted, (i, j) -> Long.compare(byCommonOnes[j], byCommonOnes[i]));
      for (int i = 0; i < count; i++) {
        values[i] = sorted[i];
      }
    }
  }
}
