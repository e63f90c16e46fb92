package io.fieldstone.cpu.stars;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarSink;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tests all pairs of candidates of each point, on all cores. On the paper's benchmark it needs an
 * eleventh of the tests of its 13 combinations of cells.
 */
final class StarPairSearch implements StarSearch {

  /** Points of a counting task. */
  private static final int COUNTED = 64;

  /** Intended size of the bits of a batch, in ints: they fit into L2. */
  private static final long BATCH_WORDS = 1 << 17;

  /** Batches per core that are computed together, which balance the load. */
  private static final int BATCHES_PER_CORE = 4;

  private final StarField field;
  private final String method;
  private final StarPairs.Factory kernels;
  private final TaskPool workers;

  StarPairSearch(StarField field, String method, StarPairs.Factory kernels, TaskPool workers) {
    this.field = field;
    this.method = method;
    this.kernels = kernels;
    this.workers = workers;
  }

  @Override
  public StarField field() {
    return field;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public long count(int first, int points) {
    field.requirePoints(first, points);
    LongAdder stars = new LongAdder();
    int tasks = Math.ceilDiv(points, COUNTED);
    workers.forEach(
        tasks,
        task -> {
          int from = first + task * COUNTED;
          stars.add(count(kernels.create(), from, Math.min(from + COUNTED, first + points)));
        });
    return stars.sum();
  }

  private static long count(StarPairs kernel, int from, int to) {
    long stars = 0;
    for (int lowest = from; lowest < to; lowest++) {
      if (kernel.moveTo(lowest) > 1) {
        stars += kernel.count();
      }
    }
    return stars;
  }

  @Override
  public <X extends Exception> void enumerate(int first, int points, StarSink<X> sink) throws X {
    field.requirePoints(first, points);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < workers.threads() * BATCHES_PER_CORE; i++) {
      batches.add(new Batch());
    }
    CandidateRuns runs = new CandidateRuns(field);
    int next = first;
    while (next < first + points) {
      int planned = 0;
      while (planned < batches.size() && next < first + points) {
        int end = endOfBatch(runs, next, first + points);
        batches.get(planned).plan(next, end);
        planned++;
        next = end;
      }
      workers.forEach(planned, i -> batches.get(i).fill());
      for (Batch batch : batches.subList(0, planned)) {
        sink.accept(batch.bits());
      }
    }
  }

  /** Returns the end of the points from {@code from} on that make a batch; at least one point. */
  private static int endOfBatch(CandidateRuns runs, int from, int to) {
    long words = 0;
    int end = from;
    while (end < to && words < BATCH_WORDS) {
      words += 1 + PairBits.words((int) (runs.moveTo(end) * CandidateRuns.EXPECTED_SHARE));
      end++;
    }
    return end;
  }

  @Override
  public void close() {}

  /** Reusable memory for the bits of some points. */
  private final class Batch {
    private int first;
    private int end;
    private int[] counts = new int[0];
    private int[] candidates = new int[0];
    private int[] words = new int[0];
    private int listed;
    private int filled;

    void plan(int from, int to) {
      first = from;
      end = to;
    }

    void fill() {
      StarPairs kernel = kernels.create();
      counts = room(counts, 0, end - first);
      listed = 0;
      filled = 0;
      for (int lowest = first; lowest < end; lowest++) {
        int count = kernel.moveTo(lowest);
        counts[lowest - first] = count;
        candidates = room(candidates, listed, count);
        System.arraycopy(kernel.candidates(), 0, candidates, listed, count);
        listed += count;
        long bits = PairBits.words(count);
        words = room(words, filled, bits);
        kernel.bits(words, filled);
        filled += (int) bits;
      }
    }

    PairBits bits() {
      return new PairBits(
          first, ints(counts, end - first), ints(candidates, listed), ints(words, filled));
    }

    /** Returns the array after growing it for more ints. */
    private int[] room(int[] array, int used, long more) {
      long needed = used + more;
      if (needed > Integer.MAX_VALUE - Long.BYTES) {
        throw new OutOfMemoryError(
            "points %d…%d have %d ints of pairs".formatted(first, end - 1, needed));
      }
      return needed <= array.length
          ? array
          : Arrays.copyOf(array, (int) Math.min(Integer.MAX_VALUE - Long.BYTES, 2 * needed));
    }

    private static MemorySegment ints(int[] array, int count) {
      return MemorySegment.ofArray(array).asSlice(0, (long) count * Integer.BYTES).asReadOnly();
    }
  }
}
