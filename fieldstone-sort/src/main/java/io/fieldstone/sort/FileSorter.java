package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.Threads;
import io.fieldstone.stream.file.FileStamp;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;

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
 * <p>Records of another layout become such records while they are read, if their keys have at most
 * eight bytes together, and their other bytes are at most eight. Others are read, sorted by the
 * 64-bit ranks of their keys and written; of a larger file, sorted runs are merged by comparing
 * their first records.
 *
 * <p>Immutable; as thread-safe as its engine, which the caller closes.
 */
public final class FileSorter {

  /** The bytes that a thread reads or writes at once. */
  static final long PIECE_BYTES = 1L << 22;

  private final Engine engine;
  private final RecordLayout layout;

  /** Sorts the records, items of them, or pairs of ranks and indices. */
  private final Sorting sorting;

  private final FileSortOptions options;

  private FileSorter(Engine engine, RecordLayout layout, Sorting sorting, FileSortOptions options) {
    this.engine = engine;
    this.layout = layout;
    this.sorting = sorting;
    this.options = options;
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
    return of(engine, layout, engine.sorts().sorting(MemorySort.format(layout)), memory);
  }

  /**
   * Creates a sorter for records of a layout that uses one of the engine's methods.
   *
   * @throws IllegalArgumentException if the method does not exist; the message lists the methods
   * @see #of(Engine, RecordFormat, long)
   */
  public static FileSorter of(Engine engine, RecordLayout layout, String method, long memory) {
    engine.requireOpen();
    RecordFormat format = MemorySort.format(layout);
    // The caller knows the layout, and not the format that the engine sorts instead.
    Methods.require(method, layout + " on " + engine.spec(), engine.sorts().methods(format));
    return of(engine, layout, engine.sorts().sorting(format, method), memory);
  }

  private static FileSorter of(Engine engine, RecordLayout layout, Sorting sorting, long memory) {
    return new FileSorter(engine, layout, sorting, new FileSortOptions(memory));
  }

  private FileSorter with(FileSortOptions changed) {
    return new FileSorter(engine, layout, sorting, changed);
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
    return with(options.withScratchIn(directory));
  }

  /**
   * Returns a sorter that reads its result before naming it, and checks that it is sorted and has
   * the same records ({@link RecordCheck}).
   *
   * @throws IllegalArgumentException if the result is the sorting permutation
   */
  public FileSorter verifying() {
    return with(options.verifying());
  }

  /**
   * Returns a sorter that reports phases of reading, sorting, merging and writing. Engines opened
   * with a listener report phases within a sort.
   */
  public FileSorter withPhaseListener(PhaseListener listener) {
    return with(options.withPhases(listener));
  }

  /**
   * Returns a sorter that keeps, of records with equal keys, only the one that comes first in the
   * input.
   *
   * @throws IllegalArgumentException if the result is the sorting permutation
   */
  public FileSorter distinct() {
    return with(options.distinct());
  }

  /**
   * Returns a sorter that keeps only the first records of the result. If they fit the memory, they
   * are found in one pass over the input, without sorting the others.
   *
   * @param records the maximum number of records of the result, ≥ 0
   */
  public FileSorter first(long records) {
    return with(options.first(records));
  }

  /**
   * Returns a sorter whose result is the sorting permutation: for each record in sorted order its
   * index in the input, from 0, a little-endian integer of 64 bits.
   *
   * @throws IllegalArgumentException if the result is verified, or of distinct keys
   */
  public FileSorter argsorting() {
    RecordLayout items = new RecordIndexing(layout).items();
    RecordFormat format = MemorySort.format(items);
    Sorting ordering =
        sorting.method().equals(Methods.AUTO)
            ? engine.sorts().sorting(format)
            : engine.sorts().sorting(format, sorting.method());
    return new FileSorter(engine, layout, ordering, options.ordering());
  }

  /**
   * Returns a sorter of {@code .npy} files. Their elements must be the records of this sorter
   * ({@link NpyHeader#layout}).
   */
  public FileSorter fromNpy() {
    return with(options.withNpyInput());
  }

  /**
   * Returns a sorter whose result is a {@code .npy} file.
   *
   * @throws IllegalArgumentException if records have payloads or several keys, and the result is
   *     not the sorting permutation
   */
  public FileSorter toNpy() {
    if (!options.isOrder()) {
      NpyHeader.of(layout, 0);
    }
    return with(options.withNpyOutput());
  }

  /**
   * Sorts a file.
   *
   * @param input a regular file
   * @param output replaced after the result is complete and on the disk; may be the input. A
   *     device, a FIFO or an open descriptor is written to instead ({@link Temporaries})
   * @throws NotWholeRecordsException if the input ends within a record
   * @throws MalformedNpyException if the input should be a {@code .npy} file, and is not
   * @throws InsufficientMemoryException if the memory limit is too low; it gives the minimum
   * @throws IOException if reading or writing fails, the input changes, there is not enough space,
   *     or the verification fails. No partial output remains, and the input is unchanged
   * @throws InterruptedException if the calling thread is interrupted; no partial output remains
   */
  public SortResult sort(Path input, Path output, SortListener listener)
      throws IOException, InterruptedException {
    FileCheck.requireFile(input);
    return report(
        input,
        () -> {
          FileStamp stamp = FileStamp.of(input);
          try (OpenFile file = OpenFile.read(input)) {
            return job(List.of(checked(file, input, Optional.of(stamp))), output, listener).sort();
          }
        });
  }

  /**
   * Sorts the bytes of a stream, which are first written to a scratch file.
   *
   * @param input read to its end, not closed
   * @param name the name of the stream in messages
   * @see #sort(Path, Path, SortListener)
   */
  public SortResult sort(InputStream input, String name, Path output, SortListener listener)
      throws IOException, InterruptedException {
    Path named = Path.of(name);
    return report(
        named,
        () -> {
          try (OpenFile scratch = OpenFile.scratch(options.scratchDirectory(output))) {
            spool(input, scratch);
            return job(List.of(checked(scratch, named, Optional.empty())), output, listener).sort();
          }
        });
  }

  /**
   * Merges sorted files. Of equal keys, records of an earlier file come first. The memory is that
   * of buffers, a few megabytes for each file at most.
   *
   * @param inputs regular files
   * @param output replaced after the result is complete and on the disk; may be one of the inputs
   * @throws IOException if an input is not sorted, or as {@link #sort(Path, Path, SortListener)}
   * @throws IllegalArgumentException if the result is the sorting permutation, or there is no input
   */
  public SortResult merge(List<Path> inputs, Path output, SortListener listener)
      throws IOException, InterruptedException {
    if (options.isOrder() || inputs.isEmpty()) {
      throw new IllegalArgumentException(
          inputs.isEmpty() ? "0 files are fewer than 1" : "the sorting permutation is not merged");
    }
    for (Path input : inputs) {
      FileCheck.requireFile(input);
    }
    return report(
        inputs.getFirst(),
        () -> {
          List<OpenFile> open = new ArrayList<>();
          try {
            List<RecordInputFile> checked = new ArrayList<>();
            for (Path input : inputs) {
              FileStamp stamp = FileStamp.of(input);
              open.add(OpenFile.read(input));
              checked.add(checked(open.getLast(), input, Optional.of(stamp)));
            }
            return job(checked, output, listener).merge();
          } finally {
            for (OpenFile file : open) {
              file.close();
            }
          }
        });
  }

  private RecordInputFile checked(OpenFile file, Path name, Optional<FileStamp> stamp)
      throws IOException {
    return RecordInputFile.of(file, name, stamp, layout, options.isNpyInput());
  }

  private FileSortJob job(List<RecordInputFile> inputs, Path output, SortListener listener)
      throws IOException {
    return new FileSortJob(engine, layout, sorting, options, inputs, output, listener);
  }

  private static void spool(InputStream input, OpenFile scratch)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[1 << 20];
    long at = 0;
    for (int read; (read = input.readNBytes(buffer, 0, buffer.length)) > 0; at += read) {
      if (Thread.interrupted()) {
        throw new InterruptedException("sorting was interrupted");
      }
      scratch.write(MemorySegment.ofArray(buffer).asSlice(0, read), at);
    }
  }

  private interface Work {
    SortResult run() throws IOException, InterruptedException;
  }

  /** Does a job on a file; its exceptions become those of this class. */
  private SortResult report(Path input, Work work) throws IOException, InterruptedException {
    return Interruptions.report(() -> {
      try {
        return work.run();
      } catch (EngineMemoryError e) {
        throw e;
      } catch (OutOfMemoryError e) {
        if (Threads.isRefusal(e)) {
          throw e;
        }
        FileSystemException failure =
            new FileSystemException(
                input.toString(),
                null,
                "%d bytes of memory, the limit for sorting, cannot be allocated (%s)"
                    .formatted(options.memory(), e.getMessage()));
        failure.initCause(e);
        throw failure;
      } catch (UncheckedIOException e) {
        throw Objects.requireNonNull(e.getCause());
      } catch (CancellationException e) {
        Thread.interrupted();
        throw new InterruptedException("sorting was interrupted");
      }
    });
  }
}
