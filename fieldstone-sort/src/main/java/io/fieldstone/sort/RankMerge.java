package io.fieldstone.sort;

import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges the sorted runs of a scratch file by comparing the first records that are left of each.
 * Each thread merges another range of keys and writes it to its place in the result.
 *
 * <p>A splitter between ranges is a record. Records that are equal to it are divided by run and
 * position, so that equal keys keep their order and may be in several ranges. Splitters are
 * quantiles of a sample, which has as many records of each run.
 *
 * <p>For a single use.
 */
final class RankMerge {

  /** The sampled records for each range: a range is then rarely more than a tenth longer. */
  private static final int SAMPLES_PER_RANGE = 256;

  private final RecordLayout layout;
  private final int recordBytes;
  private final RankPlan plan;
  private final OpenFile scratch;
  private final OpenFile output;
  private final long count;
  private final int threads;
  private final ProgressSum progress;

  /**
   * Creates a merge.
   *
   * @param size the bytes of the scratch file, and of the result
   * @param threads the maximum number of threads, ≥ 1
   */
  RankMerge(
      RecordLayout layout,
      RankPlan plan,
      OpenFile scratch,
      OpenFile output,
      long size,
      int threads,
      SortListener listener) {
    this.layout = layout;
    this.recordBytes = layout.recordBytes();
    this.plan = plan;
    this.scratch = scratch;
    this.output = output;
    this.count = size / recordBytes;
    this.threads = threads;
    this.progress =
        new ProgressSum(size, (done, total) -> listener.progress(Pass.MERGE, done, total));
  }

  /**
   * Merges all runs.
   *
   * @throws InterruptedException if the calling thread is interrupted
   */
  void run() throws IOException, InterruptedException {
    int ranges = plan.mergeRanges(recordBytes, threads);
    long bufferBytes = plan.bufferBytes() / ranges / recordBytes * recordBytes;
    long[][] cuts = cuts(ranges);
    Pieces.forEach(
        "merge",
        ranges,
        ranges,
        1,
        (range, _) -> merge(cuts[(int) range], cuts[(int) range + 1], bufferBytes));
  }

  private long firstOf(int run) {
    return Math.min(count, run * plan.runRecords());
  }

  private long recordsOf(int run) {
    return firstOf(run + 1) - firstOf(run);
  }

  /** Returns the first record of each range in each run, and then the number of records of each. */
  private long[][] cuts(int ranges) throws IOException {
    long[][] cuts = new long[ranges + 1][plan.runs()];
    for (int run = 0; run < plan.runs(); run++) {
      cuts[ranges][run] = recordsOf(run);
    }
    if (ranges > 1) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment record = arena.allocate(recordBytes);
        List<Sample> samples = samples(ranges, arena);
        for (int range = 1; range < ranges; range++) {
          Sample splitter = samples.get((int) ((long) samples.size() * range / ranges));
          for (int run = 0; run < plan.runs(); run++) {
            cuts[range][run] = cut(run, splitter, record);
          }
        }
      }
    }
    return cuts;
  }

  /** A record, and its place. */
  private record Sample(MemorySegment record, int run, long position) {}

  /** Reads records at equal distances in each run; returns them in the order of the result. */
  private List<Sample> samples(int ranges, Arena arena) throws IOException {
    // Fewer than the buffers of the merge have room for.
    long most = Math.max(1, plan.bufferBytes() / recordBytes);
    long each = Math.clamp((long) SAMPLES_PER_RANGE * ranges / plan.runs(), 1, most);
    List<Sample> samples = new ArrayList<>();
    for (int run = 0; run < plan.runs(); run++) {
      for (int i = 0; i < each; i++) {
        long position = recordsOf(run) * i / each;
        MemorySegment record = arena.allocate(recordBytes);
        scratch.readFully(record, (firstOf(run) + position) * recordBytes);
        samples.add(new Sample(record, run, position));
      }
    }
    // The sort is stable, and samples are in the order of runs and positions.
    samples.sort((a, b) -> layout.compare(a.record, 0, b.record, 0, 0));
    return samples;
  }

  /** Returns the number of records of a run that precede a splitter in the result. */
  private long cut(int run, Sample splitter, MemorySegment record) throws IOException {
    if (run == splitter.run) {
      return splitter.position;
    }
    long before = 0;
    long after = recordsOf(run);
    while (before < after) {
      long middle = (before + after) >>> 1;
      scratch.readFully(record, (firstOf(run) + middle) * recordBytes);
      int order = layout.compare(record, 0, splitter.record, 0, 0);
      if (order < 0 || order == 0 && run < splitter.run) {
        before = middle + 1;
      } else {
        after = middle;
      }
    }
    return before;
  }

  /** Merges the records of a range, which begins and ends in each run at a position. */
  private void merge(long[] from, long[] to, long bufferBytes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      PriorityQueue<Run> runs = new PriorityQueue<>();
      long written = 0;
      long end = 0;
      for (int number = 0; number < plan.runs(); number++) {
        written += from[number] * recordBytes;
        end += to[number] * recordBytes;
        if (from[number] < to[number]) {
          runs.add(new Run(number, from[number], to[number], arena.allocate(bufferBytes)));
        }
      }
      MemorySegment buffer = arena.allocate(bufferBytes);
      long filled = 0;
      while (!runs.isEmpty()) {
        Run least = runs.remove();
        do {
          MemorySegment.copy(least.buffer, least.at, buffer, filled, recordBytes);
          filled += recordBytes;
          if (filled == buffer.byteSize() || written + filled == end) {
            FileStream.requireNotInterrupted(Thread.currentThread());
            output.write(buffer.asSlice(0, filled), written);
            progress.add(filled);
            written += filled;
            filled = 0;
          }
        } while (least.next() && (runs.isEmpty() || least.compareTo(runs.element()) < 0));
        if (!least.isAtEnd()) {
          runs.add(least);
        }
      }
    }
  }

  /** The records of a range that are left of a run; it is compared by the first of them. */
  private final class Run implements Comparable<Run> {
    private final int number;
    private final MemorySegment buffer;

    /** The offset in the file of the first record that is not in the buffer, and of the end. */
    private long position;

    private final long end;

    /** The offset of the first record in the buffer, and of the end of its records. */
    private long at;

    private long filled;

    /** The first rank of the first record. */
    private long rank;

    Run(int number, long from, long to, MemorySegment buffer) throws IOException {
      this.number = number;
      this.buffer = buffer;
      this.position = (firstOf(number) + from) * recordBytes;
      this.end = (firstOf(number) + to) * recordBytes;
      fill();
    }

    private void fill() throws IOException {
      at = 0;
      filled = Math.min(buffer.byteSize(), end - position);
      if (filled > 0) {
        scratch.readFully(buffer.asSlice(0, filled), position);
        position += filled;
        rank = layout.rank(buffer, 0, 0);
      }
    }

    /** Goes to the next record; returns false if there is none. */
    boolean next() throws IOException {
      at += recordBytes;
      if (at == filled) {
        fill();
      } else {
        rank = layout.rank(buffer, at, 0);
      }
      return !isAtEnd();
    }

    boolean isAtEnd() {
      return filled == 0;
    }

    /** Of equal keys, that of the earlier run comes first. */
    @Override
    public int compareTo(Run other) {
      int order = Long.compareUnsigned(rank, other.rank);
      if (order == 0) {
        order = layout.compare(buffer, at, other.buffer, other.at, 1);
      }
      return order == 0 ? Integer.compare(number, other.number) : order;
    }
  }
}
