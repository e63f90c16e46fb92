package io.fieldstone.sort;

import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.sorting.RecordInput;
import io.fieldstone.engine.sorting.RecordOutput;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.StageProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A file that several threads of an engine read, and to whose result they write, while the engine
 * sorts it. Exceptions are unchecked; an interruption of the creating thread ends the next access.
 *
 * <p>Records are written only after the file was found unchanged since the last of them was read.
 * Thread-safe.
 */
final class FileStream implements RecordInput, RecordOutput {

  private final RecordFile input;
  private final RecordFile output;
  private final long size;
  private final SortListener listener;
  private final PhaseListener phases;
  private final Thread caller = Thread.currentThread();
  private final long start = System.nanoTime();
  private final Counter reading = new Counter(Pass.READ);
  private final Counter writing = new Counter(Pass.WRITE);
  private volatile boolean isUnconfirmed;

  /** The bytes read in all passes; guarded by this. */
  private long read;

  /** The bytes written; guarded by this. */
  private long written;

  /**
   * Creates a stream.
   *
   * @param size the bytes of all records as they are sorted
   * @param listener receives a first pass of reading as {@link Pass#READ}, further ones as {@link
   *     Pass#SORT}
   * @param phases receives each access as a phase
   */
  FileStream(
      RecordFile input, RecordFile output, long size, SortListener listener, PhaseListener phases) {
    this.input = input;
    this.output = output;
    this.size = size;
    this.listener = listener;
    this.phases = phases;
  }

  @Override
  public void read(long position, MemorySegment to) {
    requireNotInterrupted(caller);
    long begun = System.nanoTime();
    try {
      input.readFully(to, position);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    isUnconfirmed = true;
    reading.add(begun, to.byteSize());
    progressOfReading(to.byteSize());
  }

  @Override
  public void write(long position, MemorySegment from) {
    requireNotInterrupted(caller);
    try {
      requireUnchanged();
      long begun = System.nanoTime();
      output.write(from, position);
      writing.add(begun, from.byteSize());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    progressOfWriting(from.byteSize());
  }

  /** Checks that the input is unchanged since the last record was read. */
  private void requireUnchanged() throws IOException {
    if (isUnconfirmed) {
      // Before the check: a read meanwhile needs another one.
      isUnconfirmed = false;
      input.requireUnchanged();
    }
  }

  /**
   * Ends the sort.
   *
   * @return a profile of reading, sorting and writing; reading and writing are sums over threads
   * @throws IOException if the input was changed before its last record was read
   */
  List<StageProfile> end() throws IOException {
    requireUnchanged();
    long end = System.nanoTime();
    phases.onPhase(new Phase(Pass.SORT.toString(), Pass.SORT.toString(), start, end, size));
    return List.of(
        reading.profile(),
        new StageProfile(Pass.SORT.toString(), end - start, 1, size),
        writing.profile());
  }

  /** Throws {@link CancellationException} if the thread that sorts a file is interrupted. */
  static void requireNotInterrupted(Thread caller) {
    if (caller.isInterrupted()) {
      throw new CancellationException("sorting was interrupted");
    }
  }

  private synchronized void progressOfReading(long bytes) {
    long before = read;
    read += bytes;
    if (written > 0) {
      return;
    }
    if (before < size) {
      listener.progress(Pass.READ, Math.min(read, size), size);
    }
    if (read > size) {
      listener.progress(Pass.SORT, Math.min(read - size, size), size);
    }
  }

  private synchronized void progressOfWriting(long bytes) {
    if (written == 0) {
      listener.progress(Pass.READ, size, size);
      listener.progress(Pass.SORT, size, size);
    }
    written += bytes;
    listener.progress(Pass.WRITE, written, size);
  }

  /** Counts the accesses of one kind. */
  private final class Counter {
    private final Pass pass;
    private final LongAdder busyNs = new LongAdder();
    private final LongAdder items = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    Counter(Pass pass) {
      this.pass = pass;
    }

    /** Adds an access that ends now. */
    void add(long begun, long moved) {
      long end = System.nanoTime();
      busyNs.add(end - begun);
      items.increment();
      bytes.add(moved);
      phases.onPhase(
          new Phase(Thread.currentThread().getName(), pass.toString(), begun, end, moved));
    }

    StageProfile profile() {
      return new StageProfile(pass.toString(), busyNs.sum(), items.sum(), bytes.sum());
    }
  }
}
