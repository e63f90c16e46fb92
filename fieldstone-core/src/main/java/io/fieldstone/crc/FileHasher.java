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
 * Checksums of files and streams of any length in bounded memory: while an engine divides one part,
 * the next is read. Several files may be hashed at once, by any threads; each takes {@link #memory}
 * bytes, which are kept for the next.
 *
 * <p>Close it before the engine, when no file is being hashed any more.
 */
public final class FileHasher implements AutoCloseable {

  /** Parts of a file in memory: one that is read, one that is divided, and one in between. */
  private static final int SLOTS = 3;

  /** A page: less is not read at a time, and parts begin on one. */
  private static final long PAGE = 4096;

  /** Of files in the order of their list, so many for each thread wait for those before them. */
  private static final int AHEAD = 4;

  private final Crc crc;
  private final Engine engine;
  private final long memory;
  private final ConcurrentLinkedQueue<List<Slot>> idle = new ConcurrentLinkedQueue<>();

  /**
   * A hasher of files.
   *
   * @param model what to compute
   * @param engine divides, and has the memory that it copies from fastest; stays the caller's
   * @param memory bytes for each file that is hashed at once, ≥ 12,288
   * @throws IllegalArgumentException if that is too little
   */
  public FileHasher(CrcModel model, Engine engine, long memory) {
    this(Crc.of(model, engine), engine, memory);
  }

  /**
   * As {@link #FileHasher(CrcModel, Engine, long)}, by one of the engine's methods.
   *
   * @throws IllegalArgumentException if there is no such method, or the memory is too little
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

  /** Bytes of memory for each file that is hashed at once. */
  public long memory() {
    return memory;
  }

  /**
   * The checksum of a file, or of whatever else can be opened and read to an end.
   *
   * @param progress is told of bytes as they are done, on another thread
   * @throws IOException if it cannot be opened, or not be read to its end
   * @throws InterruptedException if the calling thread was interrupted
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
   * The checksum of a stream, to its end.
   *
   * @param source stays open; a read that blocks delays cancellation
   * @param progress is told of bytes as they are done, on another thread
   * @throws IOException if reading fails
   * @throws InterruptedException if the calling thread was interrupted
   */
  public CrcValue hash(ReadableByteChannel source, LongConsumer progress)
      throws IOException, InterruptedException {
    Crc sum = newSum();
    hash(source, sum, progress);
    return sum.value();
  }

  /**
   * The checksums of many files, a few at a time.
   *
   * @param atOnce how many, ≥ 1
   * @param results is told of each file in the order of the list, on the calling thread; a file
   *     that cannot be read keeps none of the others back
   * @param progress is told of bytes as they are done, on several threads
   * @throws InterruptedException if the calling thread was interrupted; no file is being read then
   */
  public void hashAll(
      List<Path> files, int atOnce, Consumer<FileHash> results, LongConsumer progress)
      throws InterruptedException {
    if (atOnce < 1) {
      throw new IllegalArgumentException(atOnce + " files at once are fewer than 1");
    }
    try (ExecutorService threads =
        Executors.newFixedThreadPool(
            atOnce, Thread.ofPlatform().daemon().name("fieldstone-crc-", 0).factory())) {
      try {
        Deque<Future<FileHash>> running = new ArrayDeque<>();
        for (Path file : files) {
          if (running.size() == AHEAD * atOnce) {
            results.accept(result(running.remove()));
          }
          running.add(threads.submit(() -> hashOrSayWhyNot(file, progress)));
        }
        while (!running.isEmpty()) {
          results.accept(result(running.remove()));
        }
      } finally {
        threads.shutdownNow(); // nothing is running unless this has failed
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

  /**
   * What fits one slot is read and divided right here; the rest of what does not, by two threads.
   */
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

  /** Part of a file. */
  private static final class Slot {

    /** One read is no larger, so that a buffer's {@code int} holds it. */
    private static final long MAX_CONCURRENT = 1 << 30;

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

    /** Reads until it is full or there is no more; returns how much it holds. */
    long fill(ReadableByteChannel source) throws IOException {
      filled = 0;
      while (!isFull()) {
        long wanted = Math.min(MAX_CONCURRENT, segment.byteSize() - filled);
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
