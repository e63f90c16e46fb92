package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Sorts a file of records of any layout by their ranks. A file that fits the plan is read, sorted
 * and written. Of a larger one, sorted runs are written to a scratch file, and merged by comparing
 * the first records that are left of each.
 *
 * <p>For one thread and a single use.
 */
final class RankFileSort {

  private final Engine engine;
  private final RecordLayout layout;
  private final RankPlan plan;
  private final RankSort sort;
  private final OpenFile input;
  private final FileStamp stamp;
  private final long size;
  private final SortListener listener;
  private final Map<Pass, Long> busyNs = new EnumMap<>(Pass.class);

  /**
   * Creates a sort.
   *
   * @param sorting sorts pairs of a rank and an index
   * @param size the bytes of the input
   * @param stamp the stamp of the input, which must be unchanged after the input was read
   */
  RankFileSort(
      Engine engine,
      Sorting sorting,
      RecordLayout layout,
      RankPlan plan,
      OpenFile input,
      long size,
      FileStamp stamp,
      SortListener listener) {
    this.engine = engine;
    this.layout = layout;
    this.plan = plan;
    this.sort =
        new RankSort(sorting.withMemoryLimit(plan.workingBytes()), layout, engine.threads());
    this.input = input;
    this.size = size;
    this.stamp = stamp;
    this.listener = listener;
  }

  /**
   * Sorts the file in memory; only if the plan has one run.
   *
   * @return a profile of each stage
   */
  List<StageProfile> run(OpenFile output) throws IOException, InterruptedException {
    sortRuns(output, Pass.WRITE);
    return profile();
  }

  /**
   * Sorts the file by runs.
   *
   * @return a profile of each stage
   */
  List<StageProfile> run(OpenFile output, OpenFile scratch)
      throws IOException, InterruptedException {
    sortRuns(scratch, Pass.SORT);
    merge(scratch, output);
    return profile();
  }

  private List<StageProfile> profile() {
    List<StageProfile> profile = new ArrayList<>();
    busyNs.forEach((pass, ns) -> profile.add(new StageProfile(pass.toString(), ns, 1, size)));
    return profile;
  }

  /** Adds the time since {@code begun} to a pass. */
  private void spend(Pass pass, long begun) {
    busyNs.merge(pass, System.nanoTime() - begun, Long::sum);
  }

  /**
   * Sorts all runs and writes them one after another.
   *
   * @param writing the pass whose progress writing is
   */
  private void sortRuns(OpenFile sorted, Pass writing) throws IOException, InterruptedException {
    long runBytes = plan.runRecords() * layout.recordBytes();
    long pairBytes = plan.runRecords() * RankSort.PAIR_BYTES;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment records = arena.allocate(Math.min(runBytes, size));
      MemorySegment pairs = arena.allocate(Math.min(pairBytes, pairBytes(size)));
      MemorySegment buffer = arena.allocate(RankPlan.writtenBytes(layout.recordBytes()));
      for (long from = 0; from < size; from += runBytes) {
        MemorySegment run = records.asSlice(0, Math.min(runBytes, size - from));
        MemorySegment order = pairs.asSlice(0, pairBytes(run.byteSize()));
        long begun = System.nanoTime();
        read(run, from, writing);
        spend(Pass.READ, begun);
        begun = System.nanoTime();
        sort.order(run, order);
        spend(Pass.SORT, begun);
        begun = System.nanoTime();
        write(run, order, buffer, sorted, from, writing);
        spend(writing, begun);
      }
    }
    stamp.requireUnchanged();
  }

  private long pairBytes(long bytes) {
    return bytes / layout.recordBytes() * RankSort.PAIR_BYTES;
  }

  private void read(MemorySegment run, long from, Pass writing)
      throws IOException, InterruptedException {
    ProgressListener reading = (done, total) -> listener.progress(Pass.READ, done, total);
    ProgressSum sum =
        new ProgressSum(size, writing == Pass.WRITE ? reading : ProgressListener.NONE);
    Pieces.forEach(
        "read",
        engine.threads(),
        run.byteSize(),
        FileSorter.PIECE_BYTES,
        (at, bytes) -> {
          input.readFully(run.asSlice(at, bytes), from + at);
          sum.add(bytes);
        });
    // Before anything is written that depends on it.
    stamp.requireUnchanged();
  }

  /** Gathers records in sorted order and writes them. */
  private void write(
      MemorySegment run,
      MemorySegment order,
      MemorySegment buffer,
      OpenFile sorted,
      long to,
      Pass pass)
      throws IOException, InterruptedException {
    int bytes = layout.recordBytes();
    long count = run.byteSize() / bytes;
    long atOnce = buffer.byteSize() / bytes;
    for (long first = 0; first < count; first += atOnce) {
      long number = Math.min(atOnce, count - first);
      for (long i = 0; i < number; i++) {
        long index = RankSort.index(order, first + i);
        MemorySegment.copy(run, index * bytes, buffer, i * bytes, bytes);
      }
      FileStream.requireNotInterrupted(Thread.currentThread());
      sorted.write(buffer.asSlice(0, number * bytes), to + first * bytes);
      listener.progress(pass, to + (first + number) * bytes, size);
    }
  }

  private void merge(OpenFile scratch, OpenFile output) throws IOException {
    long begun = System.nanoTime();
    try (Arena arena = Arena.ofConfined()) {
      PriorityQueue<Run> runs = new PriorityQueue<>();
      for (int number = 0; number < plan.runs(); number++) {
        Run run = new Run(scratch, number, arena.allocate(plan.bufferBytes()));
        runs.add(run);
      }
      MemorySegment buffer = arena.allocate(plan.bufferBytes());
      int bytes = layout.recordBytes();
      long filled = 0;
      long written = 0;
      while (!runs.isEmpty()) {
        Run least = runs.remove();
        do {
          MemorySegment.copy(least.buffer, least.at, buffer, filled, bytes);
          filled += bytes;
          if (filled == buffer.byteSize() || written + filled == size) {
            FileStream.requireNotInterrupted(Thread.currentThread());
            output.write(buffer.asSlice(0, filled), written);
            written += filled;
            filled = 0;
            listener.progress(Pass.MERGE, written, size);
          }
        } while (least.next() && (runs.isEmpty() || least.compareTo(runs.element()) < 0));
        if (!least.isAtEnd()) {
          runs.add(least);
        }
      }
    }
    spend(Pass.MERGE, begun);
  }

  /** The records that are left of a run; it is compared by the first of them. */
  private final class Run implements Comparable<Run> {
    private final OpenFile scratch;
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

    Run(OpenFile scratch, int number, MemorySegment buffer) throws IOException {
      this.scratch = scratch;
      this.number = number;
      this.buffer = buffer;
      long runBytes = plan.runRecords() * layout.recordBytes();
      this.position = number * runBytes;
      this.end = Math.min(size, position + runBytes);
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
      at += layout.recordBytes();
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
