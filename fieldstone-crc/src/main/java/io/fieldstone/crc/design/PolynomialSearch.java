package io.fieldstone.crc.design;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Examines all generator polynomials of a width, and lists those that reach a Hamming distance at a
 * length, or the greatest distance that one reaches. So the result is proven. Of a polynomial and
 * its reciprocal only one is examined (P. Koopman, "32-bit cyclic redundancy codes for Internet
 * applications", DSN 2002, describes the search and its filters).
 *
 * {@snippet :
 * SearchGoal goal = new SearchGoal(16, 135, OptionalInt.of(6));
 * SearchResult result = PolynomialSearch.of(goal, threads).run((done, total) -> {});
 * CrcValue best = result.found().getFirst().poly();
 * }
 *
 * <p>Immutable and thread-safe. A run uses threads of its own, which end with it.
 */
public final class PolynomialSearch {

  /** Receives how many of all polynomials are examined, on the calling thread. */
  public interface Listener {

    /** Called after each part of the search. */
    void examined(long done, long total);
  }

  /** The time that a search takes. */
  public record Plan(long polynomials, long classes, double secondsPerClass, double seconds) {}

  /** The polynomials of a task. */
  private static final long CHUNK = 1 << 12;

  private static final int PLAN_SAMPLES = 512;
  private static final long PLAN_NS = 2_000_000_000L;
  private static final Duration SAVE_INTERVAL = Duration.ofSeconds(10);

  private final SearchGoal goal;
  private final int threads;
  private final Optional<Path> checkpoint;

  private PolynomialSearch(SearchGoal goal, int threads, Optional<Path> checkpoint) {
    this.goal = goal;
    this.threads = threads;
    this.checkpoint = checkpoint;
  }

  /**
   * Creates a search.
   *
   * @param threads the number of threads, ≥ 1
   */
  public static PolynomialSearch of(SearchGoal goal, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads are fewer than 1");
    }
    return new PolynomialSearch(goal, threads, Optional.empty());
  }

  /**
   * Returns this search with a file in which its state is kept: it continues from the file if that
   * exists, and replaces it about every ten seconds and at its end, atomically. The caller deletes
   * the file.
   */
  public PolynomialSearch withCheckpoint(Path file) {
    return new PolynomialSearch(goal, threads, Optional.of(file));
  }

  /** Predicts the time, from polynomials that are spread over all. Takes about two seconds. */
  public Plan plan() {
    DistanceTest test = new DistanceTest(goal.width(), goal.codeBits());
    int distance = goal.distance().orElseGet(this::distanceOfSample);
    long start = System.nanoTime();
    int samples = 0;
    for (; samples < PLAN_SAMPLES || System.nanoTime() - start < PLAN_NS / 4; samples++) {
      test.reaches(sample(samples), distance); // so that the loops are compiled
      if (System.nanoTime() - start > PLAN_NS) {
        break;
      }
    }
    start = System.nanoTime();
    samples = 0;
    while (samples < PLAN_SAMPLES || System.nanoTime() - start < PLAN_NS / 2) {
      test.reaches(sample(-1 - samples), distance);
      samples++;
      if (System.nanoTime() - start > 2 * PLAN_NS) {
        break;
      }
    }
    double each = (System.nanoTime() - start) / 1e9 / samples;
    return new Plan(goal.polynomials(), goal.classes(), each, each * goal.classes() / threads);
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
   * @throws IOException if the checkpoint cannot be read or written, or is one of another search
   * @throws InterruptedException if the thread is interrupted; the checkpoint is written first
   */
  public SearchResult run(Listener listener) throws IOException, InterruptedException {
    Optional<SearchCheckpoint> file = checkpoint.map(SearchCheckpoint::new);
    SearchState state = file.isPresent() ? file.get().restore(goal) : SearchState.start(goal);
    Progress progress = new Progress(state);
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      examine(progress, workers, listener, file);
    } finally {
      workers.shutdownNow();
      if (file.isPresent()) {
        file.get().save(progress.state());
      }
    }
    return SearchResult.of(progress.state());
  }

  private void examine(
      Progress progress,
      ExecutorService workers,
      Listener listener,
      Optional<SearchCheckpoint> file)
      throws IOException, InterruptedException {
    long total = goal.polynomials();
    ThreadLocal<DistanceTest> tests =
        ThreadLocal.withInitial(() -> new DistanceTest(goal.width(), goal.codeBits()));
    List<Future<?>> running = new ArrayList<>();
    long next = progress.state().next();
    long savedNs = System.nanoTime();
    while (!progress.state().isComplete()) {
      while (running.size() < 2 * threads && next < total) {
        long from = next;
        long to = Math.min(total, from + CHUNK);
        running.add(
            workers.submit(() -> {
              progress.add(from, to, examine(tests.get(), progress, from, to));
              return null;
            }));
        next = to;
      }
      try {
        running.removeFirst().get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
      SearchState state = progress.state();
      if (state.found().length > SearchState.MAX_FOUND) {
        throw new IllegalArgumentException(
            "more than %d pairs of polynomials have HD %d at %d bits; a greater HD leaves fewer"
                .formatted(SearchState.MAX_FOUND, state.distance(), goal.messageBits()));
      }
      listener.examined(state.next(), total);
      if (file.isPresent() && System.nanoTime() - savedNs > SAVE_INTERVAL.toNanos()) {
        file.get().save(state);
        savedNs = System.nanoTime();
      }
    }
  }

  /** A polynomial and its distance; a lower bound if the goal has a distance. */
  private record Reached(long polynomial, int distance) {}

  private List<Reached> examine(DistanceTest test, Progress progress, long from, long to) {
    List<Reached> reached = new ArrayList<>();
    int middleBits = goal.width() - 1;
    for (long middle = from; middle < to; middle++) {
      if (Thread.currentThread().isInterrupted()) {
        break; // the result is not used
      }
      if (Long.reverse(middle) >>> Long.SIZE - middleBits < middle) {
        continue; // the reciprocal of one before
      }
      long polynomial = middle << 1 | 1;
      int floor = Math.max(2, progress.distance());
      if (test.reaches(polynomial, floor)) {
        int distance = goal.distance().isPresent() ? floor : test.distance(polynomial, floor);
        reached.add(new Reached(polynomial, distance));
        progress.raise(distance);
      }
    }
    return reached;
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
