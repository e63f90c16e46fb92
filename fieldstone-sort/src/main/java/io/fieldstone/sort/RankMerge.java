package io.fieldstone.sort;

import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.ProgressSum;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Merges sorted runs, of a scratch file or of several files, by comparing the first records that
 * are left of each. Each thread merges another range of keys and writes it to its place in the
 * result.
 *
 * <p>A splitter between ranges is a record. Records that are equal to it are divided by run and
 * position, so that equal keys keep their order and may be in several ranges. Splitters are
 * quantiles of a sample, which has as many records of each run.
 *
 * <p>Every record is compared with the one before it in its run, so runs that are not sorted are
 * found.
 *
 * <p>For a single use.
 */
final class RankMerge {

  /** The sampled records for each range: a range is then rarely more than a tenth longer. */
  private static final int SAMPLES_PER_RANGE = 256;

  private final RecordLayout layout;
  private final int recordBytes;
  private final List<SortedRun> runs;
  private final long memory;
  private final RecordFile output;
  private final int threads;
  private final ProgressSum progress;

  /**
   * Creates a merge.
   *
   * @param memory the bytes of a buffer for each run, and one for the result, in all ranges
   * @param threads the maximum number of threads, ≥ 1
   */
  RankMerge(
      RecordLayout layout,
      List<SortedRun> runs,
      long memory,
      RecordFile output,
      int threads,
      SortListener listener) {
    this.layout = layout;
    this.recordBytes = layout.recordBytes();
    this.runs = runs;
    this.memory = memory;
    this.output = output;
    this.threads = threads;
    long size = runs.stream().mapToLong(SortedRun::records).sum() * recordBytes;
    this.progress =
        new ProgressSum(size, (done, total) -> listener.progress(Pass.MERGE, done, total));
  }

  /**
   * Merges all runs.
   *
   * @throws UnsortedRunException if a run is not sorted
   * @throws InterruptedException if the calling thread is interrupted
   */
  void run() throws IOException, InterruptedException {
    int ranges = RankPlan.mergeRanges(memory, recordBytes, threads);
    long bufferBytes = memory / ranges / recordBytes * recordBytes;
    long[][] cuts = cuts(ranges);
    Pieces.forEach(
        "merge",
        ranges,
        ranges,
        1,
        (range, _) -> merge(cuts[(int) range], cuts[(int) range + 1], bufferBytes));
  }

  private long recordsOf(int run) {
    return runs.get(run).records();
  }

  private void read(int run, long position, MemorySegment record) throws IOException {
    runs.get(run).read(record, position, recordBytes);
  }

  /** Returns the first record of each range in each run, and then the number of records of each. */
  private long[][] cuts(int ranges) throws IOException {
    long[][] cuts = new long[ranges + 1][runs.size()];
    for (int run = 0; run < runs.size(); run++) {
      cuts[ranges][run] = recordsOf(run);
    }
    if (ranges > 1) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment record = arena.allocate(recordBytes);
        List<Sample> samples = samples(ranges, arena);
        for (int range = 1; range < ranges; range++) {
          Sample splitter = samples.get((int) ((long) samples.size() * range / ranges));
          for (int run = 0; run < runs.size(); run++) {
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
    long most = Math.max(1, memory / recordBytes);
    long each = Math.clamp((long) SAMPLES_PER_RANGE * ranges / runs.size(), 1, most);
    List<Sample> samples = new ArrayList<>();
    for (int run = 0; run < runs.size(); run++) {
      for (int i = 0; i < Math.min(each, recordsOf(run)); i++) {
        long position = recordsOf(run) * i / Math.min(each, recordsOf(run));
        MemorySegment record = arena.allocate(recordBytes);
        read(run, position, record);
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
      read(run, middle, record);
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
      PriorityQueue<Run> heads = new PriorityQueue<>();
      long written = 0;
      long end = 0;
      for (int number = 0; number < runs.size(); number++) {
        written += from[number] * recordBytes;
        end += to[number] * recordBytes;
        if (from[number] > to[number]) {
          throw new UnsortedRunException(number, to[number]);
        }
        if (from[number] < to[number]) {
          heads.add(new Run(number, from[number], to[number], arena.allocate(bufferBytes)));
        }
      }
      MemorySegment buffer = arena.allocate(bufferBytes);
      long filled = 0;
      while (!heads.isEmpty()) {
        Run least = heads.remove();
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
        } while (least.next() && (heads.isEmpty() || least.compareTo(heads.element()) < 0));
        if (!least.isAtEnd()) {
          heads.add(least);
        }
      }
    }
  }

  /** The records of a range that are left of a run; it is compared by the first of them. */
  private final class Run implements Comparable<Run> {
    private final int number;
    private final MemorySegment buffer;

    /** The offset in the run of the first record that is not in the buffer, and of the end. */
    private long position;

    private final long end;

    /** The offset of the first record in the buffer, and of the end of its records. */
    private long at;

    private long filled;

    /** The first rank of the first record. */
    private long rank;

    /** The ranks of the last record that was seen, all zero before the first. */
    private final long[] last;

    Run(int number, long from, long to, MemorySegment buffer) throws IOException {
      this.number = number;
      this.buffer = buffer;
      this.position = from * recordBytes;
      this.end = to * recordBytes;
      this.last = new long[layout.ranks()];
      if (from > 0) {
        read(number, from - 1, buffer.asSlice(0, recordBytes));
        requireOrder(0);
      }
      fill();
    }

    /** Checks that the record at an offset of the buffer is not before the last one. */
    private void requireOrder(long offset) throws UnsortedRunException {
      int order = 0;
      for (int i = 0; i < last.length; i++) {
        long own = layout.rank(buffer, offset, i);
        order = order == 0 ? Long.compareUnsigned(own, last[i]) : order;
        last[i] = own;
      }
      if (order < 0) {
        throw new UnsortedRunException(number, (position - filled + offset) / recordBytes);
      }
      rank = last[0];
    }

    private void fill() throws IOException {
      at = 0;
      filled = Math.min(buffer.byteSize(), end - position);
      if (filled > 0) {
        runs.get(number).read(buffer.asSlice(0, filled), position / recordBytes, recordBytes);
        position += filled;
        requireOrder(0);
      }
    }

    /** Goes to the next record; returns false if there is none. */
    boolean next() throws IOException {
      at += recordBytes;
      if (at == filled) {
        fill();
      } else {
        requireOrder(at);
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
