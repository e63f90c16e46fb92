package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.KeyRange.Splitter;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.sort.SortSlot.Slots;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sorts a file by runs in a scratch file. Ranges of keys are sorted again instead of merged: a
 * stable sort of their pieces, in the order of the runs, is their merge. On an engine this is
 * several times faster than comparing the heads of the runs.
 *
 * <p>If there are several threads and memory suffices, each thread takes another range, which stays
 * in the cache of its processor until it is written.
 *
 * <p>For one thread and a single use.
 */
final class RunMerge {

  private final Engine engine;
  private final Sorting sorting;
  private final SortPlan plan;
  private final RecordFile input;
  private final OpenFile scratch;
  private final RecordFormat format;
  private final SortListener listener;
  private final PhaseListener phases;
  private final RunKeys keys;
  private final long size;
  private long read;
  private long spilled;

  /** The bytes of the result that were written; guarded by this. */
  private long written;

  /**
   * Creates a sort.
   *
   * @param input must be unchanged after it was read
   * @param size the bytes of all records as they are sorted
   * @param listener receives the progress of both passes
   * @param phases receives the phases of the stages
   */
  RunMerge(
      Engine engine,
      Sorting sorting,
      SortPlan plan,
      RecordFile input,
      long size,
      OpenFile scratch,
      SortListener listener,
      PhaseListener phases) {
    this.engine = engine;
    this.sorting = sorting;
    this.plan = plan;
    this.input = input;
    this.size = size;
    this.scratch = scratch;
    this.format = sorting.format();
    this.listener = listener;
    this.phases = phases;
    this.keys = new RunKeys(format, plan);
  }

  /**
   * Sorts the file.
   *
   * @return a profile of each stage of both passes
   */
  List<StageProfile> run(RecordFile output) throws IOException, InterruptedException {
    List<StageProfile> profile = new ArrayList<>(sortRuns());
    input.requireUnchanged();
    profile.addAll(merge(output));
    return profile;
  }

  private List<StageProfile> sortRuns() throws IOException, InterruptedException {
    Sorting limited = sorting.withMemoryLimit(plan.workingBytes());
    long slotBytes = plan.runRecords() * format.bytes();
    try (Slots slots = SortSlot.allocate(engine, SortPlan.SLOTS, slotBytes)) {
      return new Pipeline<SortSlot, IOException>("runs", slots.all())
          .inOrder("read", this::read)
          .inOrder("sort", slot -> sort(slot, limited))
          .inOrder("spill", this::spill)
          .withPhaseListener(phases)
          .run();
    }
  }

  private List<StageProfile> merge(RecordFile output) throws IOException, InterruptedException {
    Sorting limited = sorting.withMemoryLimit(plan.mergingBytes(format.bytes()));
    long slotBytes = plan.rangeRecords() * format.bytes();
    try (Slots slots = SortSlot.allocate(engine, plan.ranges(), slotBytes)) {
      List<Range> ranges = slots.all().stream().map(Range::new).toList();
      return new Pipeline<Range, IOException>("merge", ranges)
          .inOrder("gather", this::next)
          .anyOrder("gather", this::gather)
          .inOrderIf(!plan.isParallel(), "merge", range -> merge(range, limited))
          .anyOrder("write", range -> write(range, output))
          .withPhaseListener(phases)
          .run();
    }
  }

  /** A range of keys in a slot. */
  private static final class Range {
    private final SortSlot slot;
    private Optional<KeyRange> bounds = Optional.empty();

    /** The offset of the range in the result, in bytes. */
    private long position;

    Range(SortSlot slot) {
      this.slot = slot;
    }
  }

  private long read(SortSlot slot) throws IOException, InterruptedException {
    long bytes = Math.min(slot.whole().byteSize(), size - read);
    if (bytes == 0) {
      return Stage.END;
    }
    slot.fill(bytes);
    MemorySegment run = slot.records();
    long from = read;
    forEachPiece(
        "read", bytes, (at, number) -> input.readFully(run.asSlice(at, number), from + at));
    read += bytes;
    return bytes;
  }

  private long merge(Range range, Sorting sorting) {
    return plan.isParallel()
        ? engine.onCallingThread(() -> sort(range.slot, sorting))
        : sort(range.slot, sorting);
  }

  private static long sort(SortSlot slot, Sorting sorting) {
    sorting.sort(slot.records());
    return slot.records().byteSize();
  }

  private long spill(SortSlot slot) throws IOException, InterruptedException {
    MemorySegment run = slot.records();
    keys.add(run);
    long to = spilled;
    forEachPiece(
        "spill", run.byteSize(), (at, number) -> scratch.write(run.asSlice(at, number), to + at));
    spilled += run.byteSize();
    listener.progress(Pass.SORT, spilled, size);
    return run.byteSize();
  }

  private void forEachPiece(String name, long bytes, Pieces.Task task)
      throws IOException, InterruptedException {
    Pieces.forEach(name, engine.threads(), bytes, FileSorter.PIECE_BYTES, task);
  }

  private long next(Range range) {
    range.bounds = keys.nextRange();
    return range.bounds.isEmpty() ? Stage.END : 0;
  }

  private long gather(Range range) throws IOException {
    KeyRange bounds = range.bounds.orElseThrow();
    range.position = 0;
    long end = 0;
    for (int run = 0; run < plan.runs(); run++) {
      end += gather(range, bounds, run, range.slot.whole().asSlice(end));
    }
    range.slot.fill(end);
    return end;
  }

  /** Reads a run's part of a range to the start of {@code to}; returns the number of bytes. */
  private long gather(Range range, KeyRange bounds, int run, MemorySegment to) throws IOException {
    long from = bounds.parts().get(run).from();
    long bytes = (bounds.parts().get(run).to() - from) * format.bytes();
    MemorySegment piece = to.asSlice(0, bytes);
    if (bytes > 0) {
      scratch.readFully(piece, (run * plan.runRecords() + from) * format.bytes());
    }
    long begin = bounds.lower().map(splitter -> cut(piece, run, from, splitter)).orElse(0L);
    long end = bounds.upper().map(splitter -> cut(piece, run, from, splitter)).orElse(bytes);
    range.position += from * format.bytes() + begin;
    if (begin > 0) {
      MemorySegment.copy(piece, begin, to, 0, end - begin);
    }
    return end - begin;
  }

  /**
   * Returns the offset at which a splitter divides a piece of a run that starts with record {@code
   * from}.
   */
  private long cut(MemorySegment piece, int run, long from, Splitter splitter) {
    if (splitter.run() == run) {
      return (splitter.position() - from) * format.bytes();
    }
    long before = 0;
    long after = piece.byteSize() / format.bytes();
    while (before < after) {
      long middle = (before + after) >>> 1;
      if (splitter.isAfter(format.bitOrdered(piece, middle * format.bytes()), run)) {
        before = middle + 1;
      } else {
        after = middle;
      }
    }
    return before * format.bytes();
  }

  private long write(Range range, RecordFile output) throws IOException {
    MemorySegment records = range.slot.records();
    output.write(records, range.position);
    synchronized (this) {
      written += records.byteSize();
      listener.progress(Pass.MERGE, written, size);
    }
    return records.byteSize();
  }
}
