package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.sort.SortPlan.Load;
import io.fieldstone.sort.SortSlot.Slots;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Sorts files of records, little-endian keys each with its payload after it, into other files or
 * themselves, stably.
 *
 * <p>A file that fits into the memory allowed is read, sorted there and written. Of a larger one,
 * runs are sorted and put into a scratch file; then one range of keys after another is read from
 * all runs, merged and written. Both times reading, sorting and writing overlap. The result appears
 * under its name only when it is whole; the scratch file has no name, and nothing of it is left
 * however the process ends. A file that changes while it is read is refused, and one that is to be
 * replaced, if it changes before that.
 *
 * <p>Immutable; as thread-safe as its engine, which stays the caller's.
 */
public final class FileSorter {

  /** Bytes that are read or written between two looks for an interruption. */
  private static final long PIECE_BYTES = 1L << 26;

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;
  private final Sorting sorting;
  private final long memory;
  private final Optional<Path> scratchDirectory;
  private final boolean verifies;
  private final PhaseListener phases;

  private FileSorter(
      Engine engine,
      Sorting sorting,
      long memory,
      Optional<Path> scratchDirectory,
      boolean verifies,
      PhaseListener phases) {
    this.engine = engine;
    this.sorting = sorting;
    this.memory = memory;
    this.scratchDirectory = scratchDirectory;
    this.verifies = verifies;
    this.phases = phases;
  }

  /**
   * A sorter of files.
   *
   * @param memory bytes that may be taken for records and for what the engine takes to sort them,
   *     on the heap or outside; fewer threads sort if there is not a workbench for each
   */
  public static FileSorter of(Engine engine, RecordFormat format, long memory) {
    return of(engine, engine.sorts().sorting(format), memory);
  }

  /**
   * As {@link #of(Engine, RecordFormat, long)}, by one way of the engine to sort.
   *
   * @param sorting of that engine
   */
  public static FileSorter of(Engine engine, Sorting sorting, long memory) {
    if (memory < 0) {
      throw new IllegalArgumentException("memory of %d bytes is less than 0".formatted(memory));
    }
    return new FileSorter(engine, sorting, memory, Optional.empty(), false, PhaseListener.NONE);
  }

  /** The same with scratch files in a directory of their own, instead of beside the result. */
  public FileSorter withScratchIn(Path directory) {
    return new FileSorter(engine, sorting, memory, Optional.of(directory), verifies, phases);
  }

  /**
   * The same, reading what it has written before it is given its name: it must be in order, and the
   * same records ({@link RecordCheck}).
   */
  public FileSorter verifying() {
    return new FileSorter(engine, sorting, memory, scratchDirectory, true, phases);
  }

  /**
   * The same, telling somebody what it reads, sorts, merges and writes when. Engines tell of what
   * goes on inside of sorting if they are opened with a listener.
   */
  public FileSorter telling(PhaseListener listener) {
    return new FileSorter(engine, sorting, memory, scratchDirectory, verifies, listener);
  }

  /**
   * Sorts a file.
   *
   * @param input a regular file
   * @param output replaced once the result is whole and on the disk; may be the input. A device, a
   *     FIFO or an open descriptor is written to instead ({@link Temporaries})
   * @throws NotWholeRecordsException if the input ends within a record
   * @throws InsufficientMemoryException if the memory allowed is too little, with what would do
   * @throws IOException if reading or writing fails, the input changes meanwhile, there is not
   *     enough space for the result and scratch files, or the result is not verified; nothing
   *     half-written stays, and the input is as it was
   * @throws InterruptedException if the calling thread was interrupted; nothing stays then either
   */
  public SortResult sort(Path input, Path output, SortListener listener)
      throws IOException, InterruptedException {
    FileCheck.requireFile(input);
    FileStamp stamp = FileStamp.of(input);
    try (OpenFile file = OpenFile.read(input)) {
      return new Job(file, stamp, output, listener).run();
    } catch (EngineMemoryError e) {
      throw e;
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "%s: there is not as much memory as %d bytes, which were allowed: %s"
              .formatted(input, memory, e.getMessage()),
          e);
    } catch (ClosedByInterruptException e) {
      // It says so by an exception and by the status of the thread.
      Thread.interrupted();
      throw new InterruptedException("sorting was interrupted");
    }
  }

  private final class Job {
    private final RecordFormat format = sorting.format();
    private final long start = System.nanoTime();
    private final OpenFile input;
    private final FileStamp stamp;
    private final Path output;
    private final SortListener listener;
    private final long size;
    private final boolean isInPlace;
    private final SortPlan plan;
    private final Sorting limited;
    private final RecordCheck before = new RecordCheck(format);

    Job(OpenFile input, FileStamp stamp, Path output, SortListener listener) throws IOException {
      this.input = input;
      this.stamp = stamp;
      this.output = output;
      this.listener = listener;
      this.size = FileCheck.requireWhole(input, format);
      this.isInPlace = Files.exists(output) && Files.isSameFile(input.name(), output);
      Load load = new Load(size / format.bytes(), format.bytes(), sorting::minWorkingBytes);
      Optional<SortPlan> possible = SortPlan.of(load, memory);
      if (possible.isEmpty()) {
        throw new InsufficientMemoryException(input.name(), memory, SortPlan.leastMemory(load));
      }
      this.plan = possible.get();
      this.limited = sorting.within(plan.workingBytes());
    }

    SortResult run() throws IOException, InterruptedException {
      requireSpace();
      try (Temporaries temporaries = new Temporaries()) {
        OpenFile result = temporaries.create(output);
        List<StageProfile> profile = plan.runs() == 1 ? sortInMemory(result) : sortRuns(result);
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
            size / format.bytes(),
            size,
            plan.runs(),
            (System.nanoTime() - start) / NS_PER_SECOND,
            verifies ? OptionalLong.of(before.fingerprint()) : OptionalLong.empty(),
            profile);
      }
    }

    private List<StageProfile> sortInMemory(OpenFile result)
        throws IOException, InterruptedException {
      List<StageProfile> profile = new ArrayList<>();
      if (size == 0) {
        return profile;
      }
      try (Slots slots = SortSlot.allocate(engine, 1, size)) {
        SortSlot slot = slots.all().getFirst();
        slot.fill(size);
        long begun = System.nanoTime();
        read(slot.records());
        profile.add(spent(Pass.READ, begun));
        listener.progress(Pass.SORT, 0, size);
        begun = System.nanoTime();
        limited.sort(slot.records());
        listener.progress(Pass.SORT, size, size);
        profile.add(spent(Pass.SORT, begun));
        begun = System.nanoTime();
        write(slot.records(), result);
        profile.add(spent(Pass.WRITE, begun));
      }
      return profile;
    }

    /** A stage that is over now. */
    private StageProfile spent(Pass pass, long begun) {
      Phase phase = new Phase(pass.toString(), pass.toString(), begun, System.nanoTime(), size);
      phases.spent(phase);
      return new StageProfile(phase.name(), phase.durationNs(), 1, size);
    }

    private void read(MemorySegment records) throws IOException, InterruptedException {
      for (long at = 0; at < size; ) {
        MemorySegment piece = piece(records, at);
        input.readFully(piece, at);
        at += see(piece);
        listener.progress(Pass.READ, at, size);
      }
      stamp.requireUnchanged();
    }

    private void write(MemorySegment records, OpenFile result)
        throws IOException, InterruptedException {
      for (long at = 0; at < size; ) {
        MemorySegment piece = piece(records, at);
        result.write(piece, at);
        at += piece.byteSize();
        listener.progress(Pass.WRITE, at, size);
      }
    }

    /** Whole records that are read or written next, unless the thread was interrupted. */
    private MemorySegment piece(MemorySegment records, long at) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException("sorting was interrupted");
      }
      long bytes = Math.max(1, PIECE_BYTES / format.bytes()) * format.bytes();
      return records.asSlice(at, Math.min(bytes, size - at));
    }

    private List<StageProfile> sortRuns(OpenFile result) throws IOException, InterruptedException {
      long slotBytes = plan.runRecords() * format.bytes();
      try (OpenFile scratch = OpenFile.scratch(scratchDirectory());
          Slots slots = SortSlot.allocate(engine, SortPlan.SLOTS, slotBytes)) {
        return new RunMerge(input, size, stamp, scratch, plan, limited, listener, phases)
            .run(slots.all(), result, this::see);
      }
    }

    private long see(MemorySegment records) {
      if (verifies) {
        before.add(records);
      }
      return records.byteSize();
    }

    private void verify(OpenFile result) throws IOException, InterruptedException {
      RecordCheck after = FileCheck.of(format).read(result, size, listener);
      if (after.outOfOrder().isPresent()) {
        throw new IOException(
            "%s: record %d is out of order; the result is not kept"
                .formatted(output, after.outOfOrder().getAsLong()));
      }
      if (after.records() != before.records() || after.fingerprint() != before.fingerprint()) {
        throw new IOException(
            "%s: %d records of fingerprint %016x, which were %d of %016x; the result is not kept"
                .formatted(
                    output,
                    after.records(),
                    after.fingerprint(),
                    before.records(),
                    before.fingerprint()));
      }
    }

    private void requireSpace() throws IOException {
      Path directory = Temporaries.directoryOf(output);
      Path scratch = scratchDirectory();
      if (plan.runs() == 1) {
        Temporaries.requireSpace(directory, size);
      } else if (Files.getFileStore(scratch).equals(Files.getFileStore(directory))) {
        Temporaries.requireSpace(directory, 2 * size);
      } else {
        Temporaries.requireSpace(directory, size);
        Temporaries.requireSpace(scratch, size);
      }
    }

    private Path scratchDirectory() throws IOException {
      return scratchDirectory.isPresent()
          ? scratchDirectory.get()
          : Temporaries.directoryOf(output);
    }
  }
}
