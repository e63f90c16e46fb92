package io.fieldstone.bench.measure;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs the same work on several threads at once; a run ends when the last thread has finished. */
public final class ThreadTeam implements AutoCloseable {

  private final int threads;
  private final ExecutorService executor;

  public ThreadTeam(int threads) {
    this.threads = threads;
    this.executor =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("bench-", 0).factory());
  }

  public int threads() {
    return threads;
  }

  /** Makes a run of {@code body} on every thread; its argument is the index of the thread. */
  public Runnable onAll(IntConsumer body) {
    List<Callable<Boolean>> tasks =
        IntStream.range(0, threads)
            .<Callable<Boolean>>mapToObj(thread ->
                () -> {
                  body.accept(thread);
                  return true;
                })
            .toList();
    return () -> {
      try {
        for (Future<Boolean> done : executor.invokeAll(tasks)) {
          done.get();
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted");
      } catch (ExecutionException failed) {
        throw new IllegalStateException("a measured thread failed", failed.getCause());
      }
    };
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
