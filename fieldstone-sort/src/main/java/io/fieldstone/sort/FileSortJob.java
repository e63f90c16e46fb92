package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.sort.SortPlan.Load;
import io.fieldstone.sort.SortSlot.Slots;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.SpaceNeeds;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Sorts one file, or merges several, with the settings of a {@link FileSorter}. Records of the
 * input become items ({@link RecordCodec}), which are sorted and become records of the result. What
 * is left out of the result is left out at its end, before it has its name.
 *
 * <p>For one thread and a single use.
 */
final class FileSortJob {

  private static final double NS_PER_SECOND = 1e9;

  private static final RecordLayout INDICES = RecordLayout.of(RecordFormat.of(KeyType.I64));

  private final Engine engine;
  private final RecordLayout layout;
  private final Sorting sorting;
  private final FileSortOptions options;
  private final List<RecordInputFile> inputs;
  private final List<RecordInputFile> replaced;
  private final Path output;
  private final SortListener listener;
  private final long start = System.nanoTime();
  private final Set<String> taken = new LinkedHashSet<>();
  private final Sorting reporting;
  private final long count;

  /** Convert records of the input, and records of the result; none if these are the items. */
  private final Optional<RecordCodec> reading;

  private final Optional<RecordCodec> writing;

  /** The layout of items, and the bytes of all of them. */
  private final RecordLayout items;

  private final long size;
  private final Optional<NpyHeader> header;
  private final List<StageProfile> profile = new ArrayList<>();
  private final RecordCheck before;
  private int runs = 1;

  FileSortJob(
      Engine engine,
      RecordLayout layout,
      Sorting sorting,
      FileSortOptions options,
      List<RecordInputFile> inputs,
      Path output,
      SortListener listener)
      throws IOException {
    this.engine = engine;
    this.layout = layout;
    this.sorting = sorting;
    this.options = options;
    this.inputs = List.copyOf(inputs);
    this.replaced = replaced(inputs, output);
    this.output = output;
    this.listener = listener;
    this.reporting = sorting.withMethodListener(this::take);
    this.before = new RecordCheck(layout);
    this.count = inputBytes() / layout.recordBytes();
    Optional<RecordPacking> packing =
        layout.format().isPresent() ? Optional.empty() : RecordPacking.of(layout);
    if (options.isOrder()) {
      RecordIndexing indexing = new RecordIndexing(layout);
      this.reading = Optional.of(indexing);
      this.writing = Optional.of(indexing.indices());
      this.items = indexing.items();
    } else {
      this.reading = packing.map(RecordCodec.class::cast);
      this.writing = reading;
      this.items = packing.map(RecordPacking::format).map(RecordLayout::of).orElse(layout);
    }
    this.size = count * items.recordBytes();
    this.header =
        options.isNpyOutput() ? Optional.of(NpyHeader.of(resultLayout(), count)) : Optional.empty();
  }

  private RecordLayout resultLayout() {
    return options.isOrder() ? INDICES : layout;
  }

  private long inputBytes() {
    return inputs.stream().mapToLong(RecordInputFile::size).sum();
  }

  private synchronized void take(String method) {
    taken.add(method);
  }

  private synchronized List<String> methodsTaken() {
    return List.copyOf(taken);
  }

  /** Writes the records of the result. */
  private interface Step {

    /** Returns the number of records written. */
    long write(OpenFile result) throws IOException, InterruptedException;
  }

  /**
   * Sorts the only input.
   *
   * @throws InsufficientMemoryException if the memory limit is too low
   */
  SortResult sort() throws IOException, InterruptedException {
    if (selects()) {
      requireSpace(Math.min(count, options.most()) * layout.recordBytes(), 0);
      return run(this::select);
    }
    boolean isNumeric = items.format().isPresent();
    RunPlan plan = isNumeric ? plan() : rankPlan();
    boolean fits = isNumeric && sorting.minStreamingBytes(count) <= options.memory();
    requireSpace(resultBytes(), fits ? 1 : plan.runs());
    return run(result -> {
      try (RecordFile input = inputs.getFirst().records(reading);
          RecordFile sorted = new RecordFile(result, headerBytes(), Optional.empty(), writing)) {
        if (size > 0 && !(fits && sortWhileReading(input, sorted))) {
          runs = plan.runs();
          requireSpace(resultBytes(), runs);
          profile.addAll(sort(plan, input, sorted));
        }
      }
      return count;
    });
  }

  private RunPlan plan() throws IOException {
    int threads = engine.kind() == EngineKind.CPU ? engine.threads() : 0;
    Load load = new Load(count, items.recordBytes(), sorting::minWorkingBytes, threads);
    Optional<SortPlan> plan = SortPlan.of(load, options.memory());
    if (plan.isEmpty()) {
      throw tooLittleMemory(SortPlan.minMemory(load));
    }
    return plan.get();
  }

  private RunPlan rankPlan() throws IOException {
    RankPlan.Load load = new RankPlan.Load(count, items.recordBytes(), sorting::minWorkingBytes);
    Optional<RankPlan> plan = RankPlan.of(load, options.memory());
    if (plan.isEmpty()) {
      throw tooLittleMemory(RankPlan.minMemory(load));
    }
    return plan.get();
  }

  private InsufficientMemoryException tooLittleMemory(long minMemory) {
    return new InsufficientMemoryException(inputs.getFirst().name(), options.memory(), minMemory);
  }

  /** Merges all inputs, which are sorted. */
  SortResult merge() throws IOException, InterruptedException {
    int bytes = layout.recordBytes();
    long buffer = RankPlan.mergeBufferBytes(options.memory(), inputs.size(), bytes);
    if (buffer == 0) {
      throw tooLittleMemory(RankPlan.minMergeBytes(inputs.size(), bytes));
    }
    requireSpace(resultBytes(), 1);
    runs = inputs.size();
    List<RecordFile> files = inputs.stream().map(input -> input.records(Optional.empty())).toList();
    try (RecordFiles _ = new RecordFiles(files)) {
      return run(result -> {
        try (RecordFile merged =
            new RecordFile(result, headerBytes(), Optional.empty(), Optional.empty())) {
          List<SortedRun> sorted = new ArrayList<>();
          for (int i = 0; i < files.size(); i++) {
            sorted.add(new SortedRun(files.get(i), 0, inputs.get(i).size() / bytes));
          }
          long begun = System.nanoTime();
          new RankMerge(layout, sorted, buffer, merged, engine.threads(), listener).run();
          profile.add(spent(Pass.MERGE, begun));
          for (RecordInputFile input : inputs) {
            input.requireUnchanged();
          }
        } catch (UnsortedRunException e) {
          throw unsorted(inputs.get(e.run()), e);
        }
        return count;
      });
    }
  }

  /** Returns the error about an input whose records are not sorted, with the first of these. */
  private FileSystemException unsorted(RecordInputFile input, UnsortedRunException found)
      throws IOException, InterruptedException {
    input.requireUnchanged();
    RecordCheck check = check().read(input.file(), input.start(), input.size(), SortListener.NONE);
    long record = check.outOfOrder().orElse(found.record());
    FileSystemException failure =
        new FileSystemException(
            input.name().toString(),
            null,
            "record %d, at byte %d, is out of order; only sorted files are merged"
                .formatted(record, input.start() + record * layout.recordBytes()));
    failure.initCause(found);
    return failure;
  }

  /** Tests whether the records of the result are found without sorting the others. */
  private boolean selects() {
    if (options.isOrder() || options.verifies() || options.most() >= count / 4) {
      return false;
    }
    long buffers = LeastRecords.requiredBytes(layout, options.most(), engine.threads());
    long working = sorting.minWorkingBytes(LeastRecords.sortedRecords(options.most()));
    return buffers <= options.memory() - working;
  }

  private long select(OpenFile result) throws IOException, InterruptedException {
    long buffers = LeastRecords.requiredBytes(layout, options.most(), engine.threads());
    Sorting limited = reporting.withMemoryLimit(options.memory() - buffers);
    long begun = System.nanoTime();
    try (RecordFile input = inputs.getFirst().records(Optional.empty());
        RecordFile selected =
            new RecordFile(result, headerBytes(), Optional.empty(), Optional.empty())) {
      long written =
          LeastRecords.write(
              new MemorySort(limited, layout, engine.threads()),
              layout,
              options.most(),
              options.isDistinct(),
              engine.threads(),
              input,
              inputBytes(),
              selected,
              listener);
      profile.add(spent(Pass.SORT, begun));
      return written;
    }
  }

  /** Does a job whose result appears when it is complete. */
  private SortResult run(Step step) throws IOException, InterruptedException {
    try (Temporaries temporaries = new Temporaries()) {
      OpenFile result = temporaries.create(output);
      if (options.verifies()) {
        for (RecordInputFile input : inputs) {
          before.add(check().read(input.file(), input.start(), input.size(), SortListener.NONE), 0);
        }
      }
      long written = step.write(result);
      if (options.verifies()) {
        long begun = System.nanoTime();
        verify(result, written);
        profile.add(spent(Pass.VERIFY, begun));
      }
      written = finish(result, written);
      for (RecordInputFile input : replaced) {
        input.requireUnchanged();
      }
      temporaries.commit();
      return new SortResult(
          count,
          written,
          inputBytes(),
          runs,
          methodsTaken(),
          (System.nanoTime() - start) / NS_PER_SECOND,
          options.verifies() ? OptionalLong.of(before.fingerprint()) : OptionalLong.empty(),
          profile);
    }
  }

  /** Returns the inputs that the result replaces. */
  private static List<RecordInputFile> replaced(List<RecordInputFile> inputs, Path output)
      throws IOException {
    List<RecordInputFile> replaced = new ArrayList<>();
    for (RecordInputFile input : inputs) {
      if (input.stamp().isPresent()
          && Files.exists(output)
          && Files.isSameFile(input.name(), output)) {
        replaced.add(input);
      }
    }
    return replaced;
  }

  /** Leaves records out and writes the header; returns the number of records. */
  private long finish(OpenFile result, long written) throws IOException, InterruptedException {
    int bytes = resultLayout().recordBytes();
    long kept = written;
    if (options.isDistinct()) {
      long begun = System.nanoTime();
      DistinctKeys distinct = new DistinctKeys(layout);
      kept = distinct.keep(result, headerBytes(), written * bytes, listener) / bytes;
      profile.add(spent(Pass.DISTINCT, begun));
    }
    kept = Math.min(kept, options.most());
    if (kept < written) {
      result.truncate(headerBytes() + kept * bytes);
    }
    if (header.isPresent()) {
      byte[] text = header.get().withCount(kept).toBytes();
      result.write(MemorySegment.ofArray(text), 0);
    }
    return kept;
  }

  /**
   * Sorts records while they are read and written.
   *
   * @return false if the engine sorts memory only
   */
  private boolean sortWhileReading(RecordFile input, RecordFile sorted) throws IOException {
    FileStream stream = new FileStream(input, sorted, size, listener, options.phases());
    try (SpaceReservation _ =
        SpaceReservation.start(sorted.file(), resultBytes(), engine.threads())) {
      if (!reporting.withMemoryLimit(options.memory()).sort(count, stream, stream)) {
        return false;
      }
      profile.addAll(stream.end());
      return true;
    } catch (ConcurrentModificationException e) {
      input.requireUnchanged();
      FileSystemException failure =
          new FileSystemException(
              inputs.getFirst().name().toString(),
              null,
              "changed while it was read; the result is not kept");
      failure.initCause(e);
      throw failure;
    }
  }

  private List<StageProfile> sort(RunPlan plan, RecordFile input, RecordFile sorted)
      throws IOException, InterruptedException {
    if (plan.runs() == 1) {
      return switch (plan) {
        case SortPlan whole -> sortInMemory(whole, input, sorted);
        case RankPlan whole -> rankSort(whole, input).run(sorted);
      };
    }
    try (OpenFile scratch = OpenFile.scratch(options.scratchDirectory(output))) {
      return switch (plan) {
        case SortPlan several ->
            new RunMerge(
                    engine, reporting, several, input, size, scratch, listener, options.phases())
                .run(sorted);
        case RankPlan several -> rankSort(several, input).run(sorted, scratch);
      };
    }
  }

  private RankFileSort rankSort(RankPlan plan, RecordFile input) {
    return new RankFileSort(engine, reporting, items, plan, input, size, listener);
  }

  private List<StageProfile> sortInMemory(SortPlan plan, RecordFile input, RecordFile sorted)
      throws IOException, InterruptedException {
    List<StageProfile> stages = new ArrayList<>();
    try (Slots slots = SortSlot.allocate(engine, 1, size)) {
      SortSlot slot = slots.all().getFirst();
      slot.fill(size);
      MemorySegment records = slot.records();
      long begun = System.nanoTime();
      forEachPiece(Pass.READ, (at, bytes) -> input.readFully(records.asSlice(at, bytes), at));
      input.requireUnchanged();
      stages.add(spent(Pass.READ, begun));
      listener.progress(Pass.SORT, 0, size);
      begun = System.nanoTime();
      reporting.withMemoryLimit(plan.workingBytes()).sort(records);
      listener.progress(Pass.SORT, size, size);
      stages.add(spent(Pass.SORT, begun));
      begun = System.nanoTime();
      forEachPiece(Pass.WRITE, (at, bytes) -> sorted.write(records.asSlice(at, bytes), at));
      stages.add(spent(Pass.WRITE, begun));
    }
    return stages;
  }

  /** Returns the profile of a stage that ends now. */
  private StageProfile spent(Pass pass, long begun) {
    Phase phase = new Phase(pass.toString(), pass.toString(), begun, System.nanoTime(), size);
    options.phases().onPhase(phase);
    return new StageProfile(phase.name(), phase.durationNs(), 1, size);
  }

  private void forEachPiece(Pass pass, Pieces.Task task) throws IOException, InterruptedException {
    ProgressSum sum = new ProgressSum(size, (done, total) -> listener.progress(pass, done, total));
    Pieces.forEach(
        pass.toString(),
        engine.threads(),
        size,
        FileSorter.PIECE_BYTES,
        (at, bytes) -> {
          task.run(at, bytes);
          sum.add(bytes);
        });
  }

  /** Returns a check that keeps to the memory limit, except for its first thread. */
  private FileCheck check() {
    long threads = options.memory() / FileCheck.threadBytes(layout);
    return FileCheck.of(layout).withThreads(Math.clamp(threads, 1, engine.threads()));
  }

  private void verify(OpenFile result, long written) throws IOException, InterruptedException {
    long bytes = written * layout.recordBytes();
    RecordCheck after = check().read(result, headerBytes(), bytes, listener);
    if (after.outOfOrder().isPresent()) {
      throw new FileSystemException(
          output.toString(),
          null,
          "record %d of the result is out of order; not kept"
              .formatted(after.outOfOrder().getAsLong()));
    }
    if (after.records() != before.records() || after.fingerprint() != before.fingerprint()) {
      throw new FileSystemException(
          output.toString(),
          null,
          "%d records with fingerprint %016x, not %d with %016x as in the input; not kept"
              .formatted(
                  after.records(), after.fingerprint(), before.records(), before.fingerprint()));
    }
  }

  private int headerBytes() {
    return header.map(NpyHeader::headerBytes).orElse(0);
  }

  private long resultBytes() {
    return headerBytes() + count * resultLayout().recordBytes();
  }

  private void requireSpace(long result, int planned) throws IOException {
    SpaceNeeds needs = new SpaceNeeds();
    needs.add(Temporaries.directoryOf(output), result);
    if (planned > 1) {
      needs.add(options.scratchDirectory(output), size);
    }
    needs.require();
  }

  /** Files that are closed together. */
  private record RecordFiles(List<RecordFile> all) implements AutoCloseable {
    @Override
    public void close() {
      all.forEach(RecordFile::close);
    }
  }
}
