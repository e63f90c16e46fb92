package io.fieldstone.net.server;

import io.fieldstone.net.carrier.HeapExhaustion;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks that read files, on threads of its own. Each file has at most {@value #MAX_PER_FILE}
 * of them at once, and files take turns, so that a slow disk delays only the files on it.
 * Thread-safe.
 */
final class FileReaders implements AutoCloseable {

  /** The maximum number of tasks of one file that run at once. */
  static final int MAX_PER_FILE = 4;

  /** The maximum number of threads; those that have nothing to do end. */
  private static final int MAX_THREADS = 256;

  private static final long END_SECONDS = 5;
  private static final Logger LOGGER = System.getLogger(FileReaders.class.getName());

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("fieldstone-read-", 0).factory());

  /** The files that have tasks. */
  private final Map<Object, Lane> lanes = new HashMap<>();

  /** The files whose next task may run. */
  private final Queue<Lane> ready = new ArrayDeque<>();

  private int running;
  private boolean isClosed;

  /** The tasks of one file. */
  private static final class Lane {
    final Object file;
    final Queue<Runnable> tasks = new ArrayDeque<>();
    int running;
    boolean isReady;

    Lane(Object file) {
      this.file = file;
    }
  }

  /** Runs a task that reads a file. After the end, tasks are dropped. */
  synchronized void execute(Object file, Runnable task) {
    if (!isClosed) {
      Lane lane = lanes.computeIfAbsent(file, Lane::new);
      lane.tasks.add(task);
      enqueue(lane);
    }
  }

  private void enqueue(Lane lane) {
    if (lane.isReady || lane.tasks.isEmpty() || lane.running == MAX_PER_FILE) {
      return;
    }
    lane.isReady = true;
    ready.add(lane);
    if (running < MAX_THREADS) {
      running++;
      try {
        threads.execute(this::work);
      } catch (OutOfMemoryError e) {
        // The system has no more threads; those that run take the task.
        running--;
        if (running == 0) {
          lane.isReady = false;
          ready.remove(lane);
          throw e;
        }
      }
    }
  }

  private void work() {
    for (Lane lane = next(); lane != null; lane = next()) {
      try {
        begin(lane).run();
      } catch (RuntimeException | Error e) {
        HeapExhaustion.report(e);
        LOGGER.log(Level.WARNING, "a task that reads a file has failed", e);
      } finally {
        end(lane);
      }
    }
  }

  private synchronized @Nullable Lane next() {
    Lane lane = ready.poll();
    if (lane == null) {
      running--;
    } else {
      lane.isReady = false;
      lane.running++;
    }
    return lane;
  }

  private synchronized Runnable begin(Lane lane) {
    Runnable task = lane.tasks.poll();
    enqueue(lane);
    return task == null ? () -> {} : task;
  }

  private synchronized void end(Lane lane) {
    lane.running--;
    enqueue(lane);
    if (lane.running == 0 && lane.tasks.isEmpty()) {
      lanes.remove(lane.file, lane);
    }
  }

  /** Drops the tasks that do not run yet, and waits a few seconds for the others. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      ready.clear();
      lanes.values().forEach(lane -> lane.tasks.clear());
    }
    threads.shutdown();
    try {
      boolean _ = threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
