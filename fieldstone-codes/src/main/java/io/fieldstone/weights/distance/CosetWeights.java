package io.fieldstone.weights.distance;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.stream.Tasks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/**
 * Counts the cosets of a code by the weights of their leaders: the least weight of a word of the
 * coset, which is the number of errors that a decoder corrects. The greatest of them is the
 * covering radius.
 *
 * {@snippet :
 * CosetWeights golay = CosetWeights.of(WordSpace.of(CodeFamily.golay(23)), 2);
 * List<Long> counts = golay.counts((weight, share) -> {}); // 1, 23, 253, 1771
 * }
 *
 * <p>Cosets are syndromes of n − k bits. A search in breadth marks those that sums of up to w
 * columns of a parity-check matrix have, for w = 0, 1, … until all are marked: 2^(n−k) bits for the
 * last w, and as many for the next. Immutable and thread-safe.
 */
public final class CosetWeights {

  /** The maximum of n − k. */
  public static final int MAX_CHECKS = 36;

  private static final int LONG_BITS = 6;

  /** The logarithm of the longs of a block, which a processor keeps in its first cache. */
  private static final int BLOCK_BITS = 9;

  /** The blocks of a task. */
  private static final int TASK_BLOCKS = 32;

  /** The tasks of each thread between two calls of the listener. */
  private static final int THREAD_TASKS = 32;

  /** The maximum of n − k of the cosets whose rate is measured: more than fit into caches. */
  private static final int SAMPLE_CHECKS = 27;

  /** The blocks of a task that measures the rate, and the time of all of them. */
  private static final int SAMPLE_BLOCKS = 16;

  private static final long SAMPLE_NS = 200_000_000;

  /** The bits of a long whose number has no one in a bit: numbers 0, 2, …; 0, 1, 4, 5, …. */
  private static final long[] WITHOUT = {
    0x5555555555555555L,
    0x3333333333333333L,
    0x0F0F0F0F0F0F0F0FL,
    0x00FF00FF00FF00FFL,
    0x0000FFFF0000FFFFL,
    0x00000000FFFFFFFFL
  };

  private final int length;
  private final int checks;
  private final int threads;
  private final List<Group> groups;

  /**
   * Columns with equal lowest bits, those of a long.
   *
   * @param low the lowest bits
   * @param high the other bits of each
   */
  @SuppressWarnings("ArrayRecordComponent") // Of this class alone, which only reads it.
  private record Group(int low, long[] high) {}

  private CosetWeights(int length, int checks, int threads, List<Group> groups) {
    this.length = length;
    this.checks = checks;
    this.threads = threads;
    this.groups = groups;
  }

  /** Receives the progress. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called after each step.
     *
     * @param weight the weight of the cosets that are sought
     * @param share the share of all syndromes that were tried for it, 0 to 1
     */
    void afterStep(int weight, double share);
  }

  /**
   * Returns the cosets of a code.
   *
   * @param space the words of the code, without any left out
   * @param threads the threads that count, 1 or more
   * @throws IllegalArgumentException if n − k is more than {@value #MAX_CHECKS}, or words are left
   *     out
   */
  public static CosetWeights of(WordSpace space, int threads) {
    int checks = space.length() - space.dimension();
    if (space.isQuotient()) {
      throw new IllegalArgumentException("cosets of %s, not of a code".formatted(space));
    }
    if (checks > MAX_CHECKS) {
      throw new IllegalArgumentException(
          "2^%d cosets are more than 2^%d".formatted(checks, MAX_CHECKS));
    }
    Gf2Matrix matrix = space.parityCheck().rowReduce().form();
    TreeMap<Integer, List<Long>> columns = new TreeMap<>();
    for (int column = 0; column < space.length(); column++) {
      long bits = 0;
      for (int row = 0; row < checks; row++) {
        bits |= (long) matrix.get(row, column) << row;
      }
      if (bits != 0) {
        columns
            .computeIfAbsent((int) bits & Long.SIZE - 1, _ -> new ArrayList<>())
            .add(bits >>> LONG_BITS);
      }
    }
    List<Group> groups =
        columns.entrySet().stream()
            .map(each ->
                new Group(
                    each.getKey(),
                    each.getValue().stream().mapToLong(high -> high).distinct().toArray()))
            .toList();
    return new CosetWeights(space.length(), checks, threads, groups);
  }

  /** Returns n − k, the logarithm of the number of cosets. */
  public int checks() {
    return checks;
  }

  /** Returns the bytes of memory that {@link #counts} takes on the heap, about. */
  public long bytes() {
    return Math.max(1L << checks, Long.SIZE) / Byte.SIZE * 2;
  }

  /** Returns the sphere-covering bound: a covering radius is not less. */
  public int leastRadius() {
    int radius = 0;
    double term = 1;
    for (double words = 1; words < Math.scalb(1.0, checks); words += term) {
      term *= (double) (length - radius) / (radius + 1);
      radius++;
    }
    return radius;
  }

  /**
   * Predicts the time of {@link #counts} on these threads, by the rate of a part that is measured.
   * It takes the sums of a few columns for random syndromes; codes with many equal sums take
   * longer.
   */
  public double predictedSeconds() {
    CosetWeights sample = sample();
    Syndromes reached = sample.new Syndromes();
    Syndromes next = sample.new Syndromes();
    int longs = reached.blocks[0].length;
    for (int block = 0; block < reached.blocks.length; block++) {
      reached.blocks[block][block % longs] = 1;
      reached.ones[block] = 1;
    }
    int count = Math.min(next.blocks.length, SAMPLE_BLOCKS * threads);
    long begunNs = System.nanoTime();
    double best = Double.POSITIVE_INFINITY;
    while (System.nanoTime() - begunNs < SAMPLE_NS) {
      long roundNs = System.nanoTime();
      sample.extend(reached, next, 0, count);
      best = Math.min(best, (System.nanoTime() - roundNs) / 1e9 / count);
    }
    return best * wholeBlocks();
  }

  /** Returns columns with the same lowest bits, of fewer syndromes. */
  private CosetWeights sample() {
    int fewer = Math.min(checks, SAMPLE_CHECKS);
    long mask = (1L << Math.max(0, fewer - LONG_BITS)) - 1;
    return new CosetWeights(
        length,
        fewer,
        threads,
        groups.stream()
            .map(group ->
                new Group(
                    group.low(), Arrays.stream(group.high()).map(high -> high & mask).toArray()))
            .toList());
  }

  /**
   * Returns how many times all columns are added to a block, about: not if the blocks that it
   * follows from are empty, or one of them is full.
   */
  private double wholeBlocks() {
    double syndromes = Math.scalb(1.0, checks);
    double block = Math.min(syndromes, Math.scalb(1.0, LONG_BITS + BLOCK_BITS));
    double blocks = 0;
    double words = 1;
    double term = 1;
    for (int weight = 0; weight < length && syndromes * unreached(words) > 0.5; weight++) {
      double isEmpty = Math.pow(unreached(words), block);
      double isFull = Math.exp(-block * unreached(words));
      blocks += syndromes / block * Math.max(0, 1 - isEmpty - isFull);
      term *= (double) (length - weight) / (weight + 1);
      words += term;
    }
    return blocks;
  }

  /** Returns the fraction of syndromes that random words do not have. */
  private double unreached(double words) {
    return Math.exp(-words / Math.scalb(1.0, checks));
  }

  /**
   * Returns the number of cosets whose least weight is 0, 1, …; the last one is that of the
   * covering radius.
   *
   * @throws CancellationException if the thread is interrupted
   */
  public List<Long> counts(Listener listener) {
    List<Long> counts = new ArrayList<>(List.of(1L));
    Syndromes reached = new Syndromes();
    Syndromes next = new Syndromes();
    reached.blocks[0][0] = 1;
    reached.ones[0] = 1;
    long total = 1;
    while (total < 1L << checks) {
      extend(reached, next, counts.size(), listener);
      long sum = Arrays.stream(next.ones).asLongStream().sum();
      counts.add(sum - total);
      total = sum;
      Syndromes last = reached;
      reached = next;
      next = last;
    }
    return counts;
  }

  /** A set of syndromes in blocks: bit i of long j of block b is syndrome (b·longs + j)·64 + i. */
  private final class Syndromes {

    private final long[][] blocks;

    /** The syndromes of each block that are in the set. */
    private final int[] ones;

    Syndromes() {
      int longBits = Math.max(0, checks - LONG_BITS);
      int blockBits = Math.min(BLOCK_BITS, longBits);
      this.blocks = new long[1 << longBits - blockBits][1 << blockBits];
      this.ones = new int[blocks.length];
    }
  }

  /** Sets the syndromes that are in a set, or differ from one of it by a column. */
  private void extend(Syndromes reached, Syndromes next, int weight, Listener listener) {
    int blocks = next.blocks.length;
    int round = (int) Math.min(blocks, (long) TASK_BLOCKS * THREAD_TASKS * threads);
    for (int first = 0; first < blocks; first += round) {
      int end = Math.min(blocks, first + round);
      extend(reached, next, first, end);
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted");
      }
      listener.afterStep(weight, (double) end / blocks);
    }
  }

  /** Sets some blocks. */
  private void extend(Syndromes reached, Syndromes next, int start, int end) {
    Tasks.forEachRange(
        threads,
        end - start,
        Math.min(TASK_BLOCKS, Math.ceilDiv(end - start, threads)),
        (from, to) -> {
          for (int block = start + from; block < start + to; block++) {
            next.ones[block] = extend(reached, block, next.blocks[block]);
          }
        });
  }

  /** Sets a block, and returns its ones. */
  private int extend(Syndromes reached, int block, long[] target) {
    int longs = target.length;
    int full = (int) Math.min(1L << checks, (long) longs * Long.SIZE);
    System.arraycopy(reached.blocks[block], 0, target, 0, longs);
    int ones = reached.ones[block];
    long[] sum = new long[longs];
    for (int i = 0; i < groups.size() && ones < full; i++) {
      Group group = groups.get(i);
      boolean isEmpty = true;
      for (long high : group.high()) {
        int source = block ^ (int) (high >>> BLOCK_BITS);
        if (reached.ones[source] == full) {
          System.arraycopy(reached.blocks[source], 0, target, 0, longs);
          return full;
        }
        if (reached.ones[source] > 0) {
          add(reached.blocks[source], (int) high & longs - 1, sum);
          isEmpty = false;
        }
      }
      if (!isEmpty) {
        exchange(sum, group.low());
        ones = union(sum, target);
        Arrays.fill(sum, 0);
      }
    }
    return ones;
  }

  /** Adds the longs of a block whose numbers differ by some bits. */
  private static void add(long[] block, int difference, long[] sum) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] |= block[i ^ difference];
    }
  }

  /** Exchanges the bits of each long whose numbers differ by some bits. */
  private static void exchange(long[] longs, int difference) {
    for (int bit = 0; bit < LONG_BITS; bit++) {
      if ((difference >>> bit & 1) == 1) {
        long without = WITHOUT[bit];
        int shift = 1 << bit;
        for (int i = 0; i < longs.length; i++) {
          longs[i] = (longs[i] & without) << shift | longs[i] >>> shift & without;
        }
      }
    }
  }

  /** Adds a set to another, and returns its size. */
  private static int union(long[] set, long[] target) {
    int ones = 0;
    for (int i = 0; i < target.length; i++) {
      target[i] |= set[i];
      ones += Long.bitCount(target[i]);
    }
    return ones;
  }
}
