package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.engine.memory.FreshPages;
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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sorts a file of records of any layout by their ranks. A file that fits the plan is read, sorted
 * and written. Of a larger one, sorted runs are written to a scratch file, and merged by {@link
 * RankMerge}.
 *
 * <p>For one thread and a single use.
 */
final class RankFileSort {

  private static final long ALIGNMENT = 64;

  private final Engine engine;
  private final RecordLayout layout;
  private final RankPlan plan;
  private final RankSort sort;
  private final RecordFile input;
  private final long size;
  private final SortListener listener;
  private final Map<Pass, Long> busyNs = new EnumMap<>(Pass.class);

  /**
   * Creates a sort.
   *
   * @param sorting sorts pairs of a rank and an index
   * @param input must be unchanged after it was read
   * @param size the bytes of all records as they are sorted
   */
  RankFileSort(
      Engine engine,
      Sorting sorting,
      RecordLayout layout,
      RankPlan plan,
      RecordFile input,
      long size,
      SortListener listener) {
    this.engine = engine;
    this.layout = layout;
    this.plan = plan;
    this.sort =
        new RankSort(sorting.withMemoryLimit(plan.workingBytes()), layout, engine.threads());
    this.input = input;
    this.size = size;
    this.listener = listener;
  }

  /**
   * Sorts the file in memory; only if the plan has one run.
   *
   * @return a profile of each stage
   */
  List<StageProfile> run(RecordFile output) throws IOException, InterruptedException {
    sortRuns(output, Pass.WRITE);
    return profile();
  }

  /**
   * Sorts the file by runs.
   *
   * @return a profile of each stage
   */
  List<StageProfile> run(RecordFile output, OpenFile scratch)
      throws IOException, InterruptedException {
    try (RecordFile sorted = RecordFile.of(scratch)) {
      sortRuns(sorted, Pass.SORT);
      long begun = System.nanoTime();
      long count = size / layout.recordBytes();
      List<SortedRun> runs = new ArrayList<>();
      for (long first = 0; first < count; first += plan.runRecords()) {
        runs.add(new SortedRun(sorted, first, Math.min(plan.runRecords(), count - first)));
      }
      new RankMerge(layout, runs, plan.bufferBytes(), output, engine.threads(), listener).run();
      spend(Pass.MERGE, begun);
    }
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
  private void sortRuns(RecordFile sorted, Pass writing) throws IOException, InterruptedException {
    long runBytes = plan.runRecords() * layout.recordBytes();
    long pairBytes = plan.runRecords() * RankSort.PAIR_BYTES;
    try (Arena arena = new CountedArena()) {
      MemorySegment records = FreshPages.allocate(Math.min(runBytes, size), ALIGNMENT, arena);
      MemorySegment pairs =
          FreshPages.allocate(Math.min(pairBytes, pairBytes(size)), ALIGNMENT, arena);
      Queue<MemorySegment> buffers = buffers(arena);
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
        write(run, order, buffers, sorted, from, writing);
        spend(writing, begun);
      }
    }
    input.requireUnchanged();
  }

  /** Allocates a buffer of whole records for each thread that writes. */
  private Queue<MemorySegment> buffers(Arena arena) {
    int bytes = layout.recordBytes();
    long written = RankPlan.writtenBytes(bytes);
    long threads = Math.clamp(written / bytes, 1, engine.threads());
    Queue<MemorySegment> buffers = new ConcurrentLinkedQueue<>();
    for (long i = 0; i < threads; i++) {
      buffers.add(arena.allocate(written / threads / bytes * bytes, ALIGNMENT));
    }
    return buffers;
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
    input.requireUnchanged();
  }

  /**
   * Gathers records in sorted order and writes them.
   *
   * @param buffers one for each thread
   */
  private void write(
      MemorySegment run,
      MemorySegment order,
      Queue<MemorySegment> buffers,
      RecordFile sorted,
      long to,
      Pass pass)
      throws IOException, InterruptedException {
    ProgressSum sum =
        new ProgressSum(size, (done, total) -> listener.progress(pass, to + done, total));
    Pieces.forEach(
        "write",
        buffers.size(),
        run.byteSize(),
        buffers.element().byteSize(),
        (at, bytes) -> {
          MemorySegment buffer = buffers.remove();
          RankSort.gather(run, order, layout.recordBytes(), at, buffer.asSlice(0, bytes));
          sorted.write(buffer.asSlice(0, bytes), to + at);
          buffers.add(buffer);
          sum.add(bytes);
        });
  }
}
