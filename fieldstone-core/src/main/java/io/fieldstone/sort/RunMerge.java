package io.fieldstone.sort;

import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.KeyRange.Splitter;
import io.fieldstone.sort.SortListener.Pass;
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
 * <p>For one thread and a single use.
 */
final class RunMerge {

  private final OpenFile input;
  private final OpenFile scratch;
  private final SortPlan plan;
  private final Sorting sorting;
  private final RecordFormat format;
  private final SortListener listener;
  private final PhaseListener phases;
  private final RunKeys keys;
  private final long size;
  private final FileStamp stamp;
  private long read;
  private long spilled;
  private long written;

  /**
   * Creates a sort.
   *
   * @param size the bytes of the input
   * @param stamp the stamp of the input, which must be unchanged after the input was read
   * @param listener receives the progress of both passes
   * @param phases receives the phases of the stages
   */
  RunMerge(
      OpenFile input,
      long size,
      FileStamp stamp,
      OpenFile scratch,
      SortPlan plan,
      Sorting sorting,
      SortListener listener,
      PhaseListener phases) {
    this.phases = phases;
    this.input = input;
    this.size = size;
    this.stamp = stamp;
    this.scratch = scratch;
    this.plan = plan;
    this.sorting = sorting;
    this.format = sorting.format();
    this.listener = listener;
    this.keys = new RunKeys(format, plan);
  }

  /**
   * Sorts the file.
   *
   * @param seen receives the records of the input
   * @return a profile of each stage of both passes
   */
  List<StageProfile> run(
      List<SortSlot> slots, OpenFile output, Stage<MemorySegment, IOException> seen)
      throws IOException, InterruptedException {
    List<StageProfile> profile =
        new ArrayList<>(
            new Pipeline<SortSlot, IOException>(slots)
                .stage("read", slot -> read(slot, seen))
                .stage("sort", this::sort)
                .stage("spill", this::spill)
                .withPhaseListener(phases)
                .run());
    stamp.requireUnchanged();
    profile.addAll(
        new Pipeline<SortSlot, IOException>(slots)
            .stage("gather", this::gather)
            .stage("merge", this::sort)
            .stage("write", slot -> write(slot, output))
            .withPhaseListener(phases)
            .run());
    return profile;
  }

  private long read(SortSlot slot, Stage<MemorySegment, IOException> seen)
      throws IOException, InterruptedException {
    long bytes = Math.min(slot.whole().byteSize(), size - read);
    if (bytes == 0) {
      return Stage.END;
    }
    slot.fill(bytes);
    input.readFully(slot.records(), read);
    read += bytes;
    seen.run(slot.records());
    return bytes;
  }

  private long sort(SortSlot slot) {
    sorting.sort(slot.records());
    return slot.records().byteSize();
  }

  private long spill(SortSlot slot) throws IOException {
    MemorySegment run = slot.records();
    keys.add(run);
    scratch.write(run, spilled);
    spilled += run.byteSize();
    listener.progress(Pass.SORT, spilled, size);
    return run.byteSize();
  }

  private long gather(SortSlot slot) throws IOException {
    Optional<KeyRange> range = keys.nextRange();
    if (range.isEmpty()) {
      return Stage.END;
    }
    long end = 0;
    for (int run = 0; run < plan.runs(); run++) {
      end += gather(range.get(), run, slot.whole().asSlice(end));
    }
    slot.fill(end);
    return end;
  }

  /** Reads a run's part of a range to the start of {@code to}; returns the number of bytes. */
  private long gather(KeyRange range, int run, MemorySegment to) throws IOException {
    long from = range.parts().get(run).from();
    long bytes = (range.parts().get(run).to() - from) * format.bytes();
    if (bytes == 0) {
      return 0;
    }
    MemorySegment piece = to.asSlice(0, bytes);
    scratch.readFully(piece, (run * plan.runRecords() + from) * format.bytes());
    long begin = range.lower().map(splitter -> cut(piece, run, from, splitter)).orElse(0L);
    long end = range.upper().map(splitter -> cut(piece, run, from, splitter)).orElse(bytes);
    MemorySegment.copy(piece, begin, to, 0, end - begin);
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

  private long write(SortSlot slot, OpenFile output) throws IOException {
    MemorySegment records = slot.records();
    output.write(records, written);
    written += records.byteSize();
    listener.progress(Pass.MERGE, written, size);
    return records.byteSize();
  }
}
