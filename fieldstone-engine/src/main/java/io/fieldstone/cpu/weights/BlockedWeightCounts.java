package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Arrays;

/**
 * Counts words by weight, in parallel over blocks of a thousand. The sums of the first basis words
 * are computed once; a block is these sums plus one word.
 */
final class BlockedWeightCounts implements WeightCounts {

  /** Base-2 logarithm of the words of a block: two or four arrays of a block fit into L1. */
  private static final int BLOCK_BITS = 10;

  /** Alternating counters, so that consecutive equal weights do not depend on each other. */
  private static final int TURNS = 4;

  private final TaskPool workers;

  BlockedWeightCounts(TaskPool workers) {
    this.workers = workers;
  }

  @Override
  public void count(BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts) {
    WeightPreconditions.requireCosets(basis, offsets, multiplicities, counts);
    PlainWords rows = PlainWords.of(basis);
    PlainWords words = PlainWords.of(offsets);
    int blockBits = Math.min(BLOCK_BITS, rows.count());
    long[][] block = block(rows, blockBits);
    long blocks = (long) words.count() << (rows.count() - blockBits);
    int tasks = (int) Math.min(blocks, blocks <= 64 ? 1 : 8L * workers.threads());
    workers.forEach(
        tasks,
        task -> {
          long first = blocks * task / tasks;
          long end = blocks * (task + 1) / tasks;
          count(rows, words, multiplicities, block, blockBits, first, end, counts);
        });
  }

  /** Returns the sums of the first rows, by 64-bit part. */
  private static long[][] block(PlainWords rows, int bits) {
    long[][] block = new long[rows.longs()][1 << bits];
    for (int part = 0; part < block.length; part++) {
      for (int word = 1; word < 1 << bits; word++) {
        int lowest = Integer.numberOfTrailingZeros(word);
        block[part][word] = block[part][word & (word - 1)] ^ rows.get(lowest, part);
      }
    }
    return block;
  }

  private static void count(
      PlainWords rows,
      PlainWords offsets,
      long[] multiplicities,
      long[][] block,
      int blockBits,
      long first,
      long end,
      long[] counts) {
    int outerBits = rows.count() - blockBits;
    int[] turns = new int[TURNS * BinaryWords.MAX_BITS + TURNS];
    long[] own = new long[counts.length];
    long[] base = new long[rows.longs()];
    for (long each = first; each < end; each++) {
      int offset = (int) (each >>> outerBits);
      long outer = each & (1L << outerBits) - 1;
      for (int part = 0; part < base.length; part++) {
        base[part] = offsets.get(offset, part);
      }
      for (long rest = outer; rest != 0; rest &= rest - 1) {
        rows.addTo(base, blockBits + Long.numberOfTrailingZeros(rest));
      }
      count(block, base, turns);
      for (int weight = 0; weight < own.length; weight++) {
        int words = 0;
        for (int turn = 0; turn < TURNS; turn++) {
          words += turns[weight * TURNS + turn];
        }
        own[weight] += multiplicities[offset] * words;
      }
      Arrays.fill(turns, 0);
    }
    synchronized (counts) {
      for (int weight = 0; weight < own.length; weight++) {
        counts[weight] += own[weight];
      }
    }
  }

  private static void count(long[][] block, long[] base, int[] turns) {
    if (base.length == 2) {
      long[] low = block[0];
      long[] high = block[1];
      for (int word = 0; word < low.length; word++) {
        int weight = Long.bitCount(low[word] ^ base[0]) + Long.bitCount(high[word] ^ base[1]);
        turns[weight * TURNS + word % TURNS]++;
      }
    } else {
      for (int word = 0; word < block[0].length; word++) {
        int weight = 0;
        for (int part = 0; part < base.length; part++) {
          weight += Long.bitCount(block[part][word] ^ base[part]);
        }
        turns[weight * TURNS + word % TURNS]++;
      }
    }
  }
}
