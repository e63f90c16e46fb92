package io.fieldstone.crc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.Stage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Computes checksums of files and streams of any length in bounded memory. While an engine divides
 * one part, the next part is read. Several threads may hash files at the same time; each file uses
 * {@link #memory} bytes, which are kept for later files.
 *
 * {@snippet :
 * try (FileHasher hasher = new FileHasher(model, engine, 64 << 20)) {
 *   FileHash.Hashed hash = hasher.hash(Path.of("disk.img"), bytes -> {});
 * }
 * }
 *
 * <p>Close it before the engine, after all files have been hashed.
 */
public final class FileHasher implements AutoCloseable {

  /** The parts of a file in memory: one is read, one waits, and one is divided. */
  private static final int SLOTS = 3;

  /** The minimum bytes of a read, and the alignment of parts. */
  private static final long PAGE = 4096;

  /** The files per thread that may be finished before an earlier file of the list. */
  private static final int AHEAD = 4;

  private final Crc crc;
  private final Engine engine;
  private final long memory;
  private final ConcurrentLinkedQueue<List<Slot>> idle = new ConcurrentLinkedQueue<>();

  /**
   * Creates a hasher.
   *
   * @param model the checksum
   * @param engine computes the checksum; the caller closes it
   * @param memory the bytes of memory for each file hashed at the same time, ≥ 12,288
   * @throws IllegalArgumentException if the memory is too small
   */
  public FileHasher(CrcModel model, Engine engine, long memory) {
    this(Crc.of(model, engine), engine, memory);
  }

  /**
   * Creates a hasher that uses one of the engine's methods.
   *
   * @throws IllegalArgumentException if the method does not exist, or the memory is too small
   * @see #FileHasher(CrcModel, Engine, long)
   */
  public FileHasher(CrcModel model, Engine engine, String method, long memory) {
    this(Crc.of(model, engine, method), engine, memory);
  }

  private FileHasher(Crc crc, Engine engine, long memory) {
    if (memory < SLOTS * PAGE) {
      throw new IllegalArgumentException(
          "memory of %d bytes is less than %d".formatted(memory, SLOTS * PAGE));
    }
    this.crc = crc;
    this.engine = engine;
    this.memory = memory;
  }

  /** Returns the bytes of memory for each file hashed at the same time. */
  public long memory() {
    return memory;
  }

  /**
   * Computes the checksum of a file, or of any other readable path.
   *
   * @param progress receives the numbers of bytes processed, on another thread
   * @throws IOException if the file cannot be opened or read to its end
   * @throws InterruptedException if the calling thread is interrupted
   */
  public FileHash.Hashed hash(Path path, LongConsumer progress)
      throws IOException, InterruptedException {
    try (FileChannel file = FileChannel.open(path)) {
      Crc sum = newSum();
      long length = hash(file, sum, progress);
      return new FileHash.Hashed(path, sum.value(), length);
    }
  }

  /**
   * Computes the checksum of a stream to its end.
   *
   * @param source not closed; a blocking read delays cancellation
   * @param progress receives the numbers of bytes processed, on another thread
   * @throws IOException if reading fails
   * @throws InterruptedException if the calling thread is interrupted
   */
  public CrcValue hash(ReadableByteChannel source, LongConsumer progress)
      throws IOException, InterruptedException {
    Crc sum = newSum();
    hash(source, sum, progress);
    return sum.value();
  }

  /**
   * Computes the checksums of many files, several at the same time.
   *
   * @param concurrency the maximum number of files at the same time, ≥ 1
   * @param results receives the result of each file in the order of the list, on the calling
   *     thread; an unreadable file does not stop the others
   * @param progress receives the numbers of bytes processed, on several threads
   * @throws InterruptedException if the calling thread is interrupted; no file is being read then
   */
  public void hashAll(
      List<Path> files, int concurrency, Consumer<FileHash> results, LongConsumer progress)
      throws InterruptedException {
    if (concurrency < 1) {
      throw new IllegalArgumentException(concurrency + " files at once are fewer than 1");
    }
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            concurrency, Thread.ofPlatform().daemon().name("fieldstone-crc-", 0).factory())) {
      try {
        Deque<Future<FileHash>> running = new ArrayDeque<>();
        for (Path file : files) {
          if (running.size() == AHEAD * concurrency) {
            results.accept(result(running.remove()));
          }
          running.add(threads.submit(() -> hashOrSayWhyNot(file, progress)));
        }
        while (!running.isEmpty()) {
          results.accept(result(running.remove()));
        }
      } finally {
        threads.shutdownNow(); // the tasks are finished unless this method has failed
      }
    }
  }

  private FileHash hashOrSayWhyNot(Path file, LongConsumer progress) throws InterruptedException {
    try {
      return hash(file, progress);
    } catch (IOException e) {
      return new FileHash.Unreadable(file, e);
    }
  }

  private static FileHash result(Future<FileHash> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case InterruptedException interrupted -> throw interrupted;
        case Error error -> throw error;
        case RuntimeException failure -> throw failure;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private Crc newSum() {
    Crc sum = crc.clone();
    sum.reset();
    return sum;
  }

  /** Hashes a source: on this thread if it fits one slot, else the rest with a second thread. */
  private long hash(ReadableByteChannel source, Crc sum, LongConsumer progress)
      throws IOException, InterruptedException {
    List<Slot> slots = takeSlots();
    try {
      Slot first = slots.getFirst();
      long length = first.fill(source);
      boolean ended = !first.isFull();
      first.append(sum, progress);
      if (!ended) {
        length +=
            new Pipeline<Slot, IOException>(slots)
                .stage("read", slot -> slot.fill(source) == 0 ? Stage.END : slot.filled)
                .stage("divide", slot -> slot.append(sum, progress))
                .run()
                .getLast()
                .bytes();
      }
      return length;
    } finally {
      idle.add(slots);
    }
  }

  private List<Slot> takeSlots() {
    List<Slot> slots = idle.poll();
    return slots != null ? slots : newSlots();
  }

  private List<Slot> newSlots() {
    HostMemory all = engine.allocateHost(memory);
    long bytes = memory / SLOTS / PAGE * PAGE;
    return Stream.iterate(0L, offset -> offset + bytes)
        .limit(SLOTS)
        .map(offset -> new Slot(all, all.segment().asSlice(offset, bytes)))
        .toList();
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    for (List<Slot> slots = idle.poll(); slots != null; slots = idle.poll()) {
      slots.getFirst().owner.close();
    }
  }

  /** A buffer for a part of a file. */
  private static final class Slot {

    /** The maximum bytes of one read, which must fit an {@code int}. */
    private static final long MAX_READ_BYTES = 1 << 30;

    private final HostMemory owner;
    private final MemorySegment segment;
    private long filled;

    Slot(HostMemory owner, MemorySegment segment) {
      this.owner = owner;
      this.segment = segment;
    }

    boolean isFull() {
      return filled == segment.byteSize();
    }

    /** Reads until the buffer is full or the source ends; returns the number of bytes. */
    long fill(ReadableByteChannel source) throws IOException {
      filled = 0;
      while (!isFull()) {
        long wanted = Math.min(MAX_READ_BYTES, segment.byteSize() - filled);
        ByteBuffer buffer = segment.asSlice(filled, wanted).asByteBuffer();
        int read = source.read(buffer);
        if (read < 0) {
          break;
        }
        filled += read;
      }
      return filled;
    }

    long append(Crc sum, LongConsumer progress) {
      sum.update(segment.asSlice(0, filled));
      progress.accept(filled);
      return filled;
    }
  }
}
