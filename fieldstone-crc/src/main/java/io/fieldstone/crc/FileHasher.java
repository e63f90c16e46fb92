package io.fieldstone.crc;

import io.fieldstone.crc.PartSource.Part;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.file.FileErrors;
import io.fieldstone.stream.file.FileStamp;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes checksums of files and streams of any length in bounded memory. Several threads read and
 * divide parts of a file, or of several files, at the same time. Only one thread at a time reads a
 * stream, while further threads divide.
 *
 * {@snippet :
 * try (FileHasher hasher = new FileHasher(model, engine, threads)) {
 *   FileHash.Hashed hash = hasher.hash(Path.of("disk.img"), bytes -> {});
 * }
 * }
 *
 * <p>A file that is larger than a buffer is read to the length that it had when it was opened.
 * Smaller files, and those without a length, such as FIFOs, devices and those of {@code /proc}, are
 * read as streams: to where they end. It is an error if a regular file changes meanwhile.
 *
 * <p>Each thread has a buffer, which is kept for later files. Thread-safe. Close it before the
 * engine, after all files have been hashed.
 */
public final class FileHasher implements AutoCloseable {

  /** The maximum number of threads. */
  public static final int MAX_THREADS = 4096;

  /**
   * The bytes that a thread reads and divides at a time on the cores. They stay in its second-level
   * cache, and the engine divides them on the calling thread.
   */
  private static final long PART_BYTES = 256 << 10;

  /** The same for GPUs, which need more bytes per call. */
  private static final long GPU_PART_BYTES = 8 << 20;

  /** The maximum number of consecutive parts of a file that one thread reads. */
  private static final int MAX_PARTS_PER_RANGE = 16;

  /** The minimum number of ranges for each thread, which balance the load. */
  private static final int RANGES_PER_THREAD = 4;

  /** The files per thread that may be finished before an earlier file of the list. */
  private static final int AHEAD = 4;

  private final Crc crc;
  private final Engine engine;
  private final int threads;
  private final long partBytes;
  private final PhaseListener phases;
  private final ConcurrentLinkedQueue<Part> idle = new ConcurrentLinkedQueue<>();

  /**
   * Creates a hasher.
   *
   * @param model the checksum
   * @param engine computes the checksum; the caller closes it
   * @param threads the maximum number of threads that read and divide, 1 … {@value #MAX_THREADS}
   * @throws IllegalArgumentException if the number of threads is out of range
   */
  public FileHasher(CrcModel model, Engine engine, int threads) {
    this(Crc.of(model, engine), engine, threads, partBytes(engine), PhaseListener.NONE);
  }

  /**
   * Creates a hasher that uses one of the engine's methods.
   *
   * @throws IllegalArgumentException if the method does not exist, or the number of threads is out
   *     of range
   * @see #FileHasher(CrcModel, Engine, int)
   */
  public FileHasher(CrcModel model, Engine engine, String method, int threads) {
    this(Crc.of(model, engine, method), engine, threads, partBytes(engine), PhaseListener.NONE);
  }

  /** Creates a hasher with buffers of a given size. */
  FileHasher(Crc crc, Engine engine, int threads, long partBytes, PhaseListener phases) {
    if (threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "threads %d are not in 1…%d".formatted(threads, MAX_THREADS));
    }
    this.crc = crc;
    this.engine = engine;
    this.threads = threads;
    this.partBytes = partBytes;
    this.phases = phases;
  }

  /**
   * Returns a hasher with memory of its own, which reports reading and dividing of each part as
   * phases of a thread.
   */
  public FileHasher withPhaseListener(PhaseListener listener) {
    return new FileHasher(crc, engine, threads, partBytes, listener);
  }

  private static long partBytes(Engine engine) {
    return engine.kind() == EngineKind.CPU ? PART_BYTES : GPU_PART_BYTES;
  }

  /**
   * Computes the checksum of a file, or of any other readable path.
   *
   * @param progress receives the numbers of bytes processed, on several threads
   * @throws IOException if the file cannot be opened or read to its end, or is a regular file that
   *     changes meanwhile
   * @throws InterruptedException if the calling thread is interrupted; no thread reads then
   */
  public FileHash.Hashed hash(Path path, LongConsumer progress)
      throws IOException, InterruptedException {
    try (Team team = new Team(threads - 1)) {
      return Interruptions.report(() -> hash(path, team, progress));
    }
  }

  /**
   * Computes the checksum of a stream to its end.
   *
   * @param source not closed; a blocking read delays cancellation
   * @param progress receives the numbers of bytes processed, on several threads
   * @throws IOException if reading fails
   * @throws InterruptedException if the calling thread is interrupted; no thread reads then
   */
  public CrcValue hash(ReadableByteChannel source, LongConsumer progress)
      throws IOException, InterruptedException {
    try (Team team = new Team(threads - 1)) {
      SharedDivision division = new SharedDivision(new StreamParts(source), progress);
      return Interruptions.report(() -> division.run(team)).checksum();
    }
  }

  /**
   * Computes the checksums of many files, several at the same time.
   *
   * @param results receives the result of each file in the order of the list, on the calling
   *     thread; an unreadable file does not stop the others
   * @param progress receives the numbers of bytes processed, on several threads
   * @throws InterruptedException if the calling thread is interrupted; no file is being read then
   */
  public void hashAll(List<Path> files, Consumer<FileHash> results, LongConsumer progress)
      throws InterruptedException {
    try (Team team = new Team(threads)) {
      Deque<Future<FileHash>> running = new ArrayDeque<>();
      for (Path file : files) {
        if (running.size() == AHEAD * threads) {
          results.accept(result(running.remove()));
        }
        running.add(team.submit(() -> hashOrSayWhyNot(file, team, progress)));
      }
      while (!running.isEmpty()) {
        results.accept(result(running.remove()));
      }
    }
  }

  private FileHash hashOrSayWhyNot(Path file, Team team, LongConsumer progress)
      throws InterruptedException {
    try {
      return Interruptions.report(() -> hash(file, team, progress));
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

  private FileHash.Hashed hash(Path path, Team team, LongConsumer progress)
      throws IOException, InterruptedException {
    Optional<FileStamp> stamp =
        Files.isRegularFile(path) ? Optional.of(FileStamp.of(path)) : Optional.empty();
    try (FileChannel file = FileChannel.open(path)) {
      long length = file.size();
      PartSource parts;
      if (length > partBytes) {
        crc.expect(length);
        parts = new FileParts(path, file, length, rangeBytes(length));
      } else {
        parts = new StreamParts(file);
      }
      Sum sum = new SharedDivision(parts, progress).run(team);
      if (stamp.isPresent()) {
        stamp.get().requireUnchanged();
      }
      return new FileHash.Hashed(path, sum.checksum(), sum.length());
    } catch (IOException e) {
      throw FileErrors.of(path, e);
    }
  }

  /** Returns the bytes of a range: whole parts, and several ranges for each thread. */
  private long rangeBytes(long length) {
    long parts = Math.ceilDiv(length, (long) RANGES_PER_THREAD * threads * partBytes);
    return Math.min(parts, MAX_PARTS_PER_RANGE) * partBytes;
  }

  /** The checksum of a source, and its bytes. */
  private record Sum(CrcValue checksum, long length) {}

  private Part takePart() {
    Part part = idle.poll();
    return part != null ? part : new Part(engine.allocateHost(partBytes));
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    for (Part part = idle.poll(); part != null; part = idle.poll()) {
      part.close();
    }
  }

  /** The threads of one call. Closing waits until they have ended. */
  private static final class Team implements AutoCloseable {

    private final int threads;
    private final ExecutorService executor;
    private final AtomicInteger started = new AtomicInteger();

    /** Makes a team; its threads start when needed. */
    Team(int threads) {
      this.threads = threads;
      executor =
          Executors.newFixedThreadPool(
              Math.max(1, threads),
              task ->
                  Thread.ofPlatform()
                      .daemon()
                      .name("fieldstone-crc-" + started.getAndIncrement())
                      .unstarted(task));
    }

    /** Runs a task on a thread, or on the calling one if the system refuses one. */
    <T> Future<T> submit(Callable<T> task) {
      FutureTask<T> future = new FutureTask<>(task);
      try {
        executor.execute(future);
      } catch (OutOfMemoryError _) {
        future.run();
      }
      return future;
    }

    /** Offers a task to threads that have nothing else to do, after the tasks before it. */
    void offer(int count, Runnable task) {
      try {
        for (int i = 0; i < Math.min(count, threads); i++) {
          executor.execute(task);
        }
      } catch (OutOfMemoryError _) {
        // The system refuses a thread: those that run do the work.
      }
    }

    @Override
    public void close() {
      executor.shutdownNow(); // all tasks have ended unless the call has failed
      executor.close();
    }
  }

  /** Divides the parts of one source on several threads. */
  private final class SharedDivision {

    private final PartSource source;
    private final LongConsumer progress;

    /** The sums of all threads. Guarded by this, as are the fields below. */
    private final List<PartialSum> sums = new ArrayList<>();

    private @Nullable Throwable failure;
    private int running;
    private boolean isOver;

    SharedDivision(PartSource source, LongConsumer progress) {
      this.source = source;
      this.progress = progress;
    }

    /** Divides on this thread, and on others of the team if there is more than one part. */
    Sum run(Team team) throws IOException, InterruptedException {
      begin();
      divide(() -> team.offer(source.concurrency(threads) - 1, this::help));
      awaitHelpers();
      return total();
    }

    private void help() {
      if (begin()) {
        divide(() -> {});
      }
    }

    private synchronized boolean begin() {
      if (isOver) {
        return false;
      }
      running++;
      return true;
    }

    private synchronized boolean hasFailed() {
      return failure != null;
    }

    /** Divides parts until the end; calls for help after the first part if that is full. */
    private void divide(Runnable callForHelp) {
      PartialSum sum = new PartialSum(crc);
      try {
        Part part = takePart();
        try {
          part.reset();
          divide(part, sum, callForHelp);
        } finally {
          idle.add(part);
        }
        end(sum, null);
      } catch (Throwable e) {
        end(sum, e);
      }
    }

    private void divide(Part part, PartialSum sum, Runnable callForHelp) throws IOException {
      Runnable call = callForHelp;
      while (!hasFailed()) {
        long begun = System.nanoTime();
        source.read(part);
        if (part.isEmpty()) {
          break;
        }
        long read = report("read", begun, part);
        if (part.isFull()) {
          call.run();
          call = () -> {};
        }
        sum.add(part.offset(), part.bytes());
        report("compute", read, part);
        progress.accept(part.bytes().byteSize());
      }
    }

    /** Reports a phase that ends now; returns its end. */
    private long report(String name, long begun, Part part) {
      long end = System.nanoTime();
      phases.onPhase(
          new Phase(Thread.currentThread().getName(), name, begun, end, part.bytes().byteSize()));
      return end;
    }

    private synchronized void end(PartialSum sum, @Nullable Throwable e) {
      sums.add(sum);
      isOver = true;
      running--;
      // An interruption closes the file, which then also fails for the other threads.
      if (failure == null || e instanceof ClosedByInterruptException) {
        failure = e;
      }
      notifyAll();
    }

    private synchronized void awaitHelpers() throws InterruptedException {
      boolean isInterrupted = false;
      while (running > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          isInterrupted = true;
          if (failure == null) {
            failure = e;
          }
        }
      }
      if (isInterrupted) {
        throw new InterruptedException("the checksum was interrupted");
      }
    }

    private synchronized Sum total() throws IOException {
      Throwable cause = failure;
      if (cause != null) {
        rethrow(cause);
      }
      long length = source.length();
      CrcValue total = CrcValue.zeros(crc.model().width());
      for (PartialSum sum : sums) {
        total = total.xor(sum.at(length));
      }
      return new Sum(crc.finish(total, length), length);
    }

    private static void rethrow(Throwable cause) throws IOException {
      switch (cause) {
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(cause);
      }
    }
  }
}
