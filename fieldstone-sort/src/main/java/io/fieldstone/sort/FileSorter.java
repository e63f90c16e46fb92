package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.sort.SortPlan.Load;
import io.fieldstone.sort.SortSlot.Slots;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.Threads;
import io.fieldstone.stream.file.FileStamp;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.SpaceNeeds;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;

/**
 * Sorts files of records stably, into other files or in place. Records have a {@link RecordFormat}:
 * little-endian keys, each followed by its payload; or any other {@link RecordLayout}.
 *
 * {@snippet :
 * FileSorter sorter = FileSorter.of(engine, RecordFormat.of(KeyType.U64), 1L << 30);
 * SortResult result = sorter.sort(input, output, SortListener.NONE);
 * }
 *
 * <p>The threads of the engine read and write by position. Of a file that fits in the memory limit,
 * they count digits while they read. Then they read again, from the cache of the system, move each
 * record into its bucket, and write each bucket once it is sorted. For engines that sort memory
 * only, files are read, sorted and written.
 *
 * <p>Of a larger file, sorted runs are written to a scratch file; reading, sorting and writing
 * overlap. Then ranges of keys from all runs are merged, from four threads on another range by each
 * thread. The result appears under its name only when it is complete. The scratch file has no name,
 * and disappears with the process. If the input changes while it is read, the sort fails; so it
 * does if a file to be replaced changes.
 *
 * <p>Records of another layout are read, sorted by the 64-bit ranks of their keys and written. Of a
 * larger file, sorted runs are merged by comparing their first records.
 *
 * <p>Immutable; as thread-safe as its engine, which the caller closes.
 */
public final class FileSorter {

  /** The bytes that a thread reads or writes at once. */
  static final long PIECE_BYTES = 1L << 22;

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;
  private final RecordLayout layout;

  /** Sorts the records, or pairs of ranks and indices if no format has the layout. */
  private final Sorting sorting;

  private final long memory;
  private final Optional<Path> scratchDirectory;
  private final boolean verifies;
  private final PhaseListener phases;

  private FileSorter(
      Engine engine,
      RecordLayout layout,
      Sorting sorting,
      long memory,
      Optional<Path> scratchDirectory,
      boolean verifies,
      PhaseListener phases) {
    this.engine = engine;
    this.layout = layout;
    this.sorting = sorting;
    this.memory = memory;
    this.scratchDirectory = scratchDirectory;
    this.verifies = verifies;
    this.phases = phases;
  }

  /**
   * Creates a sorter.
   *
   * @param memory the maximum bytes for records and for the engine's working memory, native or on
   *     the heap; a low limit reduces the number of threads
   */
  public static FileSorter of(Engine engine, RecordFormat format, long memory) {
    engine.requireOpen();
    return of(engine, engine.sorts().sorting(format), memory);
  }

  /**
   * Creates a sorter that uses a given sorting.
   *
   * @param sorting a sorting of that engine
   * @see #of(Engine, RecordFormat, long)
   */
  public static FileSorter of(Engine engine, Sorting sorting, long memory) {
    engine.requireOpen();
    return of(engine, RecordLayout.of(sorting.format()), sorting, memory);
  }

  /**
   * Creates a sorter for records of a layout.
   *
   * @see #of(Engine, RecordFormat, long)
   */
  public static FileSorter of(Engine engine, RecordLayout layout, long memory) {
    engine.requireOpen();
    return of(engine, layout, engine.sorts().sorting(engineFormat(layout)), memory);
  }

  /**
   * Creates a sorter for records of a layout that uses one of the engine's methods.
   *
   * @throws IllegalArgumentException if the method does not exist; the message lists the methods
   * @see #of(Engine, RecordFormat, long)
   */
  public static FileSorter of(Engine engine, RecordLayout layout, String method, long memory) {
    engine.requireOpen();
    RecordFormat format = engineFormat(layout);
    // The caller knows the layout, and not the format that the engine sorts instead.
    Methods.require(method, layout + " on " + engine.spec(), engine.sorts().methods(format));
    return of(engine, layout, engine.sorts().sorting(format, method), memory);
  }

  private static RecordFormat engineFormat(RecordLayout layout) {
    return layout.format().orElse(RankSort.PAIR);
  }

  private static FileSorter of(Engine engine, RecordLayout layout, Sorting sorting, long memory) {
    if (memory < 0) {
      throw new IllegalArgumentException("memory of %d bytes is less than 0".formatted(memory));
    }
    return new FileSorter(
        engine, layout, sorting, memory, Optional.empty(), false, PhaseListener.NONE);
  }

  /** Returns the name of the method, which is {@code auto} if the engine chooses. */
  public String method() {
    return sorting.method();
  }

  /**
   * Returns a sorter with scratch files in {@code directory} instead of the directory of the
   * result.
   */
  public FileSorter withScratchIn(Path directory) {
    return new FileSorter(
        engine, layout, sorting, memory, Optional.of(directory), verifies, phases);
  }

  /**
   * Returns a sorter that reads its result before naming it, and checks that it is sorted and has
   * the same records ({@link RecordCheck}).
   */
  public FileSorter verifying() {
    return new FileSorter(engine, layout, sorting, memory, scratchDirectory, true, phases);
  }

  /**
   * Returns a sorter that reports phases of reading, sorting, merging and writing. Engines opened
   * with a listener report phases within a sort.
   */
  public FileSorter withPhaseListener(PhaseListener listener) {
    return new FileSorter(engine, layout, sorting, memory, scratchDirectory, verifies, listener);
  }

  /**
   * Sorts a file.
   *
   * @param input a regular file
   * @param output replaced after the result is complete and on the disk; may be the input. A
   *     device, a FIFO or an open descriptor is written to instead ({@link Temporaries})
   * @throws NotWholeRecordsException if the input ends within a record
   * @throws InsufficientMemoryException if the memory limit is too low; it gives the minimum
   * @throws IOException if reading or writing fails, the input changes, there is not enough space,
   *     or the verification fails. No partial output remains, and the input is unchanged
   * @throws InterruptedException if the calling thread is interrupted; no partial output remains
   */
  public SortResult sort(Path input, Path output, SortListener listener)
      throws IOException, InterruptedException {
    FileCheck.requireFile(input);
    return Interruptions.report(() -> sortFile(input, output, listener));
  }

  private SortResult sortFile(Path input, Path output, SortListener listener)
      throws IOException, InterruptedException {
    FileStamp stamp = FileStamp.of(input);
    try (OpenFile file = OpenFile.read(input)) {
      return new Job(file, stamp, output, listener).run();
    } catch (EngineMemoryError e) {
      throw e;
    } catch (OutOfMemoryError e) {
      if (Threads.isRefusal(e)) {
        throw e;
      }
      throw failed(
          input,
          "%d bytes of memory, the limit for sorting, cannot be allocated (%s)"
              .formatted(memory, e.getMessage()),
          e);
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    } catch (CancellationException e) {
      Thread.interrupted();
      throw new InterruptedException("sorting was interrupted");
    }
  }

  private static FileSystemException failed(Path file, String problem, Throwable cause) {
    FileSystemException failure = new FileSystemException(file.toString(), null, problem);
    failure.initCause(cause);
    return failure;
  }

  private final class Job {
    private final Set<String> taken = new LinkedHashSet<>();
    private final Sorting reporting = sorting.withMethodListener(this::take);
    private final long start = System.nanoTime();
    private final OpenFile input;
    private final FileStamp stamp;
    private final Path output;
    private final SortListener listener;
    private final long size;
    private final long count;
    private final boolean isInPlace;

    /** The plan if an engine has the format, else the other one. */
    private final Optional<SortPlan> plan;

    private final Optional<RankPlan> rankPlan;
    private RecordCheck before = new RecordCheck(layout);

    Job(OpenFile input, FileStamp stamp, Path output, SortListener listener) throws IOException {
      this.input = input;
      this.stamp = stamp;
      this.output = output;
      this.listener = listener;
      this.size = FileCheck.requireWhole(input, layout);
      this.count = size / layout.recordBytes();
      this.isInPlace = Files.exists(output) && Files.isSameFile(input.name(), output);
      int bytes = layout.recordBytes();
      if (layout.format().isPresent()) {
        int threads = engine.kind() == EngineKind.CPU ? engine.threads() : 0;
        Load load = new Load(count, bytes, sorting::minWorkingBytes, threads);
        this.plan = SortPlan.of(load, memory);
        this.rankPlan = Optional.empty();
        requirePlan(plan, () -> SortPlan.minMemory(load));
      } else {
        RankPlan.Load load = new RankPlan.Load(count, bytes, sorting::minWorkingBytes);
        this.plan = Optional.empty();
        this.rankPlan = RankPlan.of(load, memory);
        requirePlan(rankPlan, () -> RankPlan.minMemory(load));
      }
    }

    private void requirePlan(Optional<?> possible, LongSupplier minMemory) throws IOException {
      if (possible.isEmpty()) {
        throw new InsufficientMemoryException(input.name(), memory, minMemory.getAsLong());
      }
    }

    private synchronized void take(String method) {
      taken.add(method);
    }

    private synchronized List<String> methodsTaken() {
      return List.copyOf(taken);
    }

    /** Returns the runs if records are not sorted while they are read. */
    private int plannedRuns() {
      return plan.map(SortPlan::runs).or(() -> rankPlan.map(RankPlan::runs)).orElseThrow();
    }

    SortResult run() throws IOException, InterruptedException {
      boolean fits = plan.isPresent() && sorting.minStreamingBytes(count) <= memory;
      requireSpace(fits ? 1 : plannedRuns());
      try (Temporaries temporaries = new Temporaries()) {
        OpenFile result = temporaries.create(output);
        if (verifies) {
          before = check().read(input, size, SortListener.NONE);
        }
        List<StageProfile> profile = new ArrayList<>();
        int runs = 1;
        if (size > 0 && !(fits && sortWhileReading(result, profile))) {
          runs = plannedRuns();
          requireSpace(runs);
          profile.addAll(
              rankPlan.isPresent()
                  ? sortByRanks(rankPlan.get(), result)
                  : sort(plan.orElseThrow(), result));
        }
        if (verifies) {
          long begun = System.nanoTime();
          verify(result);
          profile.add(spent(Pass.VERIFY, begun));
        }
        if (isInPlace) {
          stamp.requireUnchanged();
        }
        temporaries.commit();
        return new SortResult(
            count,
            size,
            runs,
            methodsTaken(),
            (System.nanoTime() - start) / NS_PER_SECOND,
            verifies ? OptionalLong.of(before.fingerprint()) : OptionalLong.empty(),
            profile);
      }
    }

    /**
     * Sorts records while they are read and written.
     *
     * @param profile receives a profile of each stage
     * @return false if the engine sorts memory only
     */
    private boolean sortWhileReading(OpenFile result, List<StageProfile> profile)
        throws IOException {
      FileStream stream = new FileStream(input, stamp, result, size, listener, phases);
      try (SpaceReservation _ = SpaceReservation.start(result, size, engine.threads())) {
        if (!reporting.withMemoryLimit(memory).sort(count, stream, stream)) {
          return false;
        }
        profile.addAll(stream.end());
        return true;
      } catch (ConcurrentModificationException e) {
        stamp.requireUnchanged();
        throw failed(input.name(), "changed while it was read; the result is not kept", e);
      }
    }

    private List<StageProfile> sort(SortPlan possible, OpenFile result)
        throws IOException, InterruptedException {
      return possible.runs() == 1 ? sortInMemory(possible, result) : sortRuns(possible, result);
    }

    private List<StageProfile> sortByRanks(RankPlan ranks, OpenFile result)
        throws IOException, InterruptedException {
      RankFileSort sort =
          new RankFileSort(engine, reporting, layout, ranks, input, size, stamp, listener);
      if (ranks.runs() == 1) {
        return sort.run(result);
      }
      try (OpenFile scratch = OpenFile.scratch(scratchDirectory())) {
        return sort.run(result, scratch);
      }
    }

    private List<StageProfile> sortInMemory(SortPlan possible, OpenFile result)
        throws IOException, InterruptedException {
      List<StageProfile> profile = new ArrayList<>();
      try (Slots slots = SortSlot.allocate(engine, 1, size)) {
        SortSlot slot = slots.all().getFirst();
        slot.fill(size);
        long begun = System.nanoTime();
        read(slot.records());
        profile.add(spent(Pass.READ, begun));
        listener.progress(Pass.SORT, 0, size);
        begun = System.nanoTime();
        reporting.withMemoryLimit(possible.workingBytes()).sort(slot.records());
        listener.progress(Pass.SORT, size, size);
        profile.add(spent(Pass.SORT, begun));
        begun = System.nanoTime();
        write(slot.records(), result);
        profile.add(spent(Pass.WRITE, begun));
      }
      return profile;
    }

    /** Returns the profile of a stage that ends now. */
    private StageProfile spent(Pass pass, long begun) {
      Phase phase = new Phase(pass.toString(), pass.toString(), begun, System.nanoTime(), size);
      phases.onPhase(phase);
      return new StageProfile(phase.name(), phase.durationNs(), 1, size);
    }

    private void read(MemorySegment records) throws IOException, InterruptedException {
      forEachPiece(Pass.READ, (at, bytes) -> input.readFully(records.asSlice(at, bytes), at));
      stamp.requireUnchanged();
    }

    private void write(MemorySegment records, OpenFile result)
        throws IOException, InterruptedException {
      forEachPiece(Pass.WRITE, (at, bytes) -> result.write(records.asSlice(at, bytes), at));
    }

    private void forEachPiece(Pass pass, Pieces.Task task)
        throws IOException, InterruptedException {
      ProgressSum sum =
          new ProgressSum(size, (done, total) -> listener.progress(pass, done, total));
      Pieces.forEach(
          pass.toString(),
          engine.threads(),
          size,
          PIECE_BYTES,
          (at, bytes) -> {
            task.run(at, bytes);
            sum.add(bytes);
          });
    }

    private List<StageProfile> sortRuns(SortPlan possible, OpenFile result)
        throws IOException, InterruptedException {
      try (OpenFile scratch = OpenFile.scratch(scratchDirectory())) {
        return new RunMerge(
                engine, reporting, possible, input, size, stamp, scratch, listener, phases)
            .run(result);
      }
    }

    /** Returns a check that keeps to the memory limit, except for its first thread. */
    private FileCheck check() {
      long threads = memory / FileCheck.threadBytes(layout);
      return FileCheck.of(layout).withThreads(Math.clamp(threads, 1, engine.threads()));
    }

    private void verify(OpenFile result) throws IOException, InterruptedException {
      RecordCheck after = check().read(result, size, listener);
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

    private void requireSpace(int runs) throws IOException {
      SpaceNeeds needs = new SpaceNeeds();
      needs.add(Temporaries.directoryOf(output), size);
      if (runs > 1) {
        needs.add(scratchDirectory(), size);
      }
      needs.require();
    }

    private Path scratchDirectory() throws IOException {
      return scratchDirectory.isPresent()
          ? scratchDirectory.get()
          : Temporaries.directoryOf(output);
    }
  }
}
