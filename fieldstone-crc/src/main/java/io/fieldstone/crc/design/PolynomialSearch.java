package io.fieldstone.crc.design;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.stream.file.StateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Examines all generator polynomials of a width, and lists those that reach a Hamming distance at a
 * length, or the greatest distance that one reaches. So the result is proven. Of a polynomial and
 * its reciprocal only one is examined (P. Koopman, "32-bit cyclic redundancy codes for Internet
 * applications", DSN 2002, describes the search and its filters).
 *
 * {@snippet :
 * SearchGoal goal = new SearchGoal(16, 135, OptionalInt.of(6));
 * SearchResult result = PolynomialSearch.of(goal, engine).run((done, total) -> {});
 * CrcValue best = result.found().getFirst().poly();
 * }
 *
 * <p>From HD {@value #MIN_SIEVED} on, the engine first sieves the polynomials ({@link
 * PolynomialSieve}), so that few are tested. Immutable and thread-safe. A run uses as many threads
 * as the engine, which end with it.
 */
public final class PolynomialSearch {

  /** Receives how many of all polynomials are examined, on the calling thread. */
  public interface Listener {

    /** Called after each part of the search. */
    void examined(long done, long total);
  }

  /**
   * The time that a search takes.
   *
   * @param polynomials of the width
   * @param classes of a polynomial and its reciprocal, which are examined
   * @param seconds of the search
   */
  public record Plan(long polynomials, long classes, double seconds) {}

  /** The least distance for which the errors that a sieve finds are too small. */
  private static final int MIN_SIEVED = PolynomialSieve.MAX_WEIGHT + 1;

  /** The parts of a thread that may be finished before one that precedes them. */
  private static final int PARTS_AHEAD = 8;

  private static final int PLAN_SAMPLES = 512;
  private static final long PLAN_NS = 3_000_000_000L;
  private static final Duration SAVE_INTERVAL = Duration.ofSeconds(10);

  private final SearchGoal goal;
  private final Engine engine;
  private final Optional<Path> checkpoint;

  private PolynomialSearch(SearchGoal goal, Engine engine, Optional<Path> checkpoint) {
    this.goal = goal;
    this.engine = engine;
    this.checkpoint = checkpoint;
  }

  /**
   * Creates a search.
   *
   * @param engine with a {@link PolynomialSieve}; remains the caller's
   * @throws IllegalStateException if the engine is closed
   */
  public static PolynomialSearch of(SearchGoal goal, Engine engine) {
    engine.requireOpen();
    return new PolynomialSearch(goal, engine, Optional.empty());
  }

  /**
   * Returns this search with a file in which its state is kept: it continues from the file if that
   * exists, and replaces it about every ten seconds and at its end, atomically. While it runs, no
   * other run can use the file. The caller deletes the file.
   */
  public PolynomialSearch withCheckpoint(Path file) {
    return new PolynomialSearch(goal, engine, Optional.of(file));
  }

  /**
   * Predicts the time by the examination of parts that are spread over all polynomials, of as many
   * as there are at most. Takes six seconds or, for few polynomials, less.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public Plan plan() throws InterruptedException {
    Progress progress = begun(SearchState.start(goal));
    Sizes sizes = new Sizes(engine.polynomialSieve().batch());
    examineSome(progress, sizes); // so that the loops are compiled
    long start = System.nanoTime();
    long examined = examineSome(progress, sizes);
    double each = (System.nanoTime() - start) / 1e9 / examined;
    return new Plan(goal.polynomials(), goal.classes(), each * goal.polynomials());
  }

  /** Examines parts, with all threads; returns the number of their polynomials. */
  private long examineSome(Progress progress, Sizes sizes) throws InterruptedException {
    AtomicInteger samples = new AtomicInteger();
    AtomicLong examined = new AtomicLong();
    long start = System.nanoTime();
    Callable<Void> sampler =
        () -> {
          Examination examination = new Examination(progress, sizes);
          while (System.nanoTime() - start < PLAN_NS && examined.get() < goal.polynomials()) {
            long from = sample(samples.getAndIncrement()) >>> 1;
            long to = Math.min(goal.polynomials(), from + sizes.next());
            examination.of(from, to);
            examined.addAndGet(to - from);
          }
          return null;
        };
    try (ExecutorService workers = Executors.newFixedThreadPool(engine.threads())) {
      for (Future<Void> worker :
          workers.invokeAll(Collections.nCopies(engine.threads(), sampler))) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw failure(e);
    }
    return examined.get();
  }

  /** Continues a state; without a demanded distance, that of a few polynomials is the least. */
  private Progress begun(SearchState state) {
    Progress progress = new Progress(state);
    if (goal.distance().isEmpty()) {
      progress.raise(distanceOfSample());
    }
    return progress;
  }

  /** Returns a distance that some of a few polynomials reach. */
  private int distanceOfSample() {
    DistanceTest test = new DistanceTest(goal.width(), goal.codeBits());
    int distance = 2;
    for (int i = 0; i < PLAN_SAMPLES; i++) {
      if (test.reaches(sample(i), distance + 1)) {
        distance = test.distance(sample(i), distance + 1);
      }
    }
    return distance;
  }

  /** Returns one of polynomials that are spread over all. */
  private long sample(int i) {
    long mixed = (i + 1) * 0x9E37_79B9_7F4A_7C15L;
    return (mixed >>> Long.SIZE - (goal.width() - 1)) << 1 | 1;
  }

  /**
   * Runs the search, or the rest of it.
   *
   * @throws IOException if the checkpoint cannot be read or written, is one of another search, or
   *     another run uses it
   * @throws InterruptedException if the thread is interrupted; the checkpoint is written first
   */
  public SearchResult run(Listener listener) throws IOException, InterruptedException {
    if (checkpoint.isEmpty()) {
      return run(SearchState.start(goal), listener, Optional.empty());
    }
    try (StateFile file = StateFile.open(checkpoint.get(), SAVE_INTERVAL)) {
      return run(restored(file), listener, Optional.of(file));
    }
  }

  /** Returns the state in a file, or that before the search if there is no file. */
  private SearchState restored(StateFile file) throws IOException {
    Optional<byte[]> bytes = file.read();
    if (bytes.isEmpty()) {
      return SearchState.start(goal);
    }
    SearchState state;
    try {
      state = SearchState.parse(new String(bytes.get(), StandardCharsets.ISO_8859_1));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage() + ": " + file.path(), e);
    }
    SearchGoal other = state.goal();
    if (!other.equals(goal)) {
      String distance =
          other.distance().isPresent() ? "HD " + other.distance().getAsInt() : "the best HD";
      throw new IOException(
          "a checkpoint of width %d, length %d and %s: %s"
              .formatted(other.width(), other.messageBits(), distance, file.path()));
    }
    return state;
  }

  private SearchResult run(SearchState state, Listener listener, Optional<StateFile> file)
      throws IOException, InterruptedException {
    Progress progress = begun(state);
    ExecutorService workers = Executors.newFixedThreadPool(engine.threads());
    try {
      examine(progress, workers, listener, file);
    } finally {
      workers.shutdownNow();
      if (file.isPresent()) {
        note(file.get(), progress.state());
        file.get().save();
      }
    }
    return SearchResult.of(progress.state());
  }

  private static void note(StateFile file, SearchState state) {
    file.note(() -> state.text().getBytes(StandardCharsets.US_ASCII));
  }

  private void examine(
      Progress progress, ExecutorService workers, Listener listener, Optional<StateFile> file)
      throws InterruptedException {
    long total = goal.polynomials();
    Sizes sizes = new Sizes(engine.polynomialSieve().batch());
    ThreadLocal<Examination> examinations =
        ThreadLocal.withInitial(() -> new Examination(progress, sizes));
    List<Future<?>> running = new ArrayList<>();
    long next = progress.state().next();
    while (!progress.state().isComplete()) {
      while (running.size() < PARTS_AHEAD * engine.threads() && next < total) {
        long from = next;
        long to = Math.min(total, from + sizes.next());
        running.add(
            workers.submit(() -> {
              progress.add(from, to, examinations.get().of(from, to));
              return null;
            }));
        next = to;
      }
      try {
        running.removeFirst().get();
      } catch (ExecutionException e) {
        throw failure(e);
      }
      SearchState state = progress.state();
      if (state.found().length > SearchState.MAX_FOUND) {
        throw new IllegalArgumentException(
            "more than %d pairs of polynomials have HD %d at %d bits; a greater HD leaves fewer"
                .formatted(SearchState.MAX_FOUND, state.distance(), goal.messageBits()));
      }
      listener.examined(state.next(), total);
      file.ifPresent(open -> note(open, state));
    }
  }

  /** Returns the failure of a thread, to be thrown by the calling one. */
  private static RuntimeException failure(ExecutionException e) {
    return switch (Objects.requireNonNull(e.getCause())) {
      case RuntimeException failure -> failure;
      case Error failure -> throw failure;
      case Throwable other -> new IllegalStateException(other);
    };
  }

  /**
   * The numbers of polynomials of the next parts: such that a part takes some tenths of a second,
   * whether all are tested, or nearly all are excluded by a GPU. Thread-safe.
   */
  private static final class Sizes {

    private static final long LEAST = 1 << 8;
    private static final long SHORT_NS = 100_000_000;
    private static final long LONG_NS = 400_000_000;

    private final long most;
    private final AtomicLong size;

    Sizes(long most) {
      this.most = Math.max(LEAST, most);
      this.size = new AtomicLong(Math.min(this.most, 4 * LEAST));
    }

    long next() {
      return size.get();
    }

    /** Adjusts the next sizes by the time of a part of some size. */
    void took(long polynomials, long ns) {
      if (ns < SHORT_NS && polynomials == size.get()) {
        size.compareAndSet(polynomials, Math.min(most, 2 * polynomials));
      } else if (ns > LONG_NS) {
        size.compareAndSet(polynomials, Math.max(LEAST, polynomials / 2));
      }
    }
  }

  /** A polynomial and its distance; a lower bound if the goal has a distance. */
  private record Reached(long polynomial, int distance) {}

  /** Examines parts of the polynomials, for one thread. */
  private final class Examination {

    private final Progress progress;
    private final Sizes sizes;
    private final DistanceTest test = new DistanceTest(goal.width(), goal.codeBits());

    Examination(Progress progress, Sizes sizes) {
      this.progress = progress;
      this.sizes = sizes;
    }

    /** Returns those of a part that reach the distance, or the greatest one so far. */
    List<Reached> of(long from, long to) {
      long start = System.nanoTime();
      List<Reached> reached = new ArrayList<>();
      for (long number : candidates(from, to)) {
        if (Thread.currentThread().isInterrupted()) {
          break; // the result is not used
        }
        long polynomial = number << 1 | 1;
        int floor = Math.max(2, progress.distance());
        if (test.reaches(polynomial, floor)) {
          int distance = goal.distance().isPresent() ? floor : test.distance(polynomial, floor);
          reached.add(new Reached(polynomial, distance));
          progress.raise(distance);
        }
      }
      sizes.took(to - from, System.nanoTime() - start);
      return reached;
    }

    private long[] candidates(long from, long to) {
      return progress.distance() < MIN_SIEVED
          ? LongStream.range(from, to)
              .filter(number -> PolynomialSieve.isSmaller(goal.width(), number))
              .toArray()
          : engine.onCallingThread(
              () -> engine.polynomialSieve().sift(goal.width(), goal.codeBits(), from, to));
    }
  }

  /** The state of a run, with the parts that were finished before one that precedes them. */
  private static final class Progress {

    private record Part(long to, List<Reached> reached) {}

    private final SearchGoal goal;
    private final Map<Long, Part> early = new HashMap<>();
    private long next;
    private int distance;
    private long[] found;
    private int count;

    /** The greatest distance that any part reached, which may be later than {@link #next}. */
    private volatile int greatest;

    Progress(SearchState state) {
      goal = state.goal();
      next = state.next();
      distance = state.distance();
      found = state.found().clone();
      count = found.length;
      greatest = distance;
    }

    int distance() {
      return greatest;
    }

    synchronized void raise(int reached) {
      greatest = Math.max(greatest, reached);
    }

    synchronized SearchState state() {
      return new SearchState(goal, next, distance, Arrays.copyOf(found, count));
    }

    synchronized void add(long from, long to, List<Reached> reached) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      early.put(from, new Part(to, reached));
      for (Part part = early.remove(next); part != null; part = early.remove(next)) {
        part.reached().forEach(this::add);
        next = part.to();
      }
    }

    private void add(Reached one) {
      if (one.distance() > distance) {
        distance = one.distance();
        count = 0;
      }
      if (one.distance() == distance) {
        if (count == found.length) {
          found = Arrays.copyOf(found, Math.max(16, 2 * count));
        }
        found[count++] = one.polynomial();
      }
    }
  }
}
