package io.fieldstone.net.catalogue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** The generations of an object, which several threads take one after the other. Thread-safe. */
public final class GenerationQueue {

  /** All generations have been taken. */
  public static final int NONE = -1;

  private final int generations;
  private final AtomicInteger next = new AtomicInteger();

  /** The work on one generation. */
  @FunctionalInterface
  public interface Worker {

    /** Takes generations until there is {@link #NONE}; all workers end when one of them returns. */
    void run(GenerationQueue queue) throws IOException;
  }

  private GenerationQueue(int generations) {
    this.generations = generations;
  }

  /** Returns the next generation, or {@link #NONE}. */
  public int next() {
    int generation = next.getAndIncrement();
    return generation < generations ? generation : NONE;
  }

  private void end() {
    next.set(generations);
  }

  /**
   * Works through the generations 0 to {@code generations} − 1 with several threads. Returns when
   * no thread works any more, also after a failure or an interrupt.
   *
   * @param workers runs the threads; stays open
   * @param threads the maximum number of threads, at least 1
   * @throws IOException if a worker throws it; the other workers end after their generation
   * @throws InterruptedException if the calling thread is interrupted; the workers end likewise
   */
  public static void run(ExecutorService workers, int threads, int generations, Worker worker)
      throws IOException, InterruptedException {
    GenerationQueue queue = new GenerationQueue(generations);
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < Math.min(threads, generations); i++) {
      tasks.add(
          workers.submit(() -> {
            try {
              worker.run(queue);
            } finally {
              queue.end();
            }
            return null;
          }));
    }
    try {
      for (Future<?> task : tasks) {
        task.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      queue.end();
      awaitAll(tasks);
    }
  }

  /** Waits through interrupts, which the calling thread keeps. */
  private static void awaitAll(List<Future<?>> tasks) {
    boolean isInterrupted = Thread.interrupted();
    for (Future<?> task : tasks) {
      while (true) {
        try {
          task.get();
          break;
        } catch (InterruptedException _) {
          isInterrupted = true;
        } catch (ExecutionException _) {
          break;
        }
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
