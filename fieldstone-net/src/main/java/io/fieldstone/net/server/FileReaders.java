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
  private final Map<Object, FileTasks> files = new HashMap<>();

  /** The files whose next task may run. */
  private final Queue<FileTasks> ready = new ArrayDeque<>();

  private int running;
  private boolean isClosed;

  /** The tasks of one file. */
  private static final class FileTasks {
    final Object file;
    final Queue<Runnable> tasks = new ArrayDeque<>();
    int running;
    boolean isReady;

    FileTasks(Object file) {
      this.file = file;
    }
  }

  /** Runs a task that reads a file. After the end, tasks are dropped. */
  synchronized void execute(Object file, Runnable task) {
    if (!isClosed) {
      FileTasks all = files.computeIfAbsent(file, FileTasks::new);
      all.tasks.add(task);
      enqueue(all);
    }
  }

  private void enqueue(FileTasks file) {
    if (file.isReady || file.tasks.isEmpty() || file.running == MAX_PER_FILE) {
      return;
    }
    file.isReady = true;
    ready.add(file);
    if (running < MAX_THREADS) {
      running++;
      try {
        threads.execute(this::work);
      } catch (OutOfMemoryError e) {
        // The system has no more threads; those that run take the task.
        running--;
        if (running == 0) {
          file.isReady = false;
          ready.remove(file);
          throw e;
        }
      }
    }
  }

  private void work() {
    for (FileTasks file = next(); file != null; file = next()) {
      try {
        begin(file).run();
      } catch (RuntimeException | Error e) {
        HeapExhaustion.report(e);
        LOGGER.log(Level.WARNING, "a task that reads a file has failed", e);
      } finally {
        end(file);
      }
    }
  }

  private synchronized @Nullable FileTasks next() {
    FileTasks file = ready.poll();
    if (file == null) {
      running--;
    } else {
      file.isReady = false;
      file.running++;
    }
    return file;
  }

  private synchronized Runnable begin(FileTasks file) {
    Runnable task = file.tasks.poll();
    enqueue(file);
    return task == null ? () -> {} : task;
  }

  private synchronized void end(FileTasks file) {
    file.running--;
    enqueue(file);
    if (file.running == 0 && file.tasks.isEmpty()) {
      files.remove(file.file, file);
    }
  }

  /** Drops the tasks that do not run yet, and waits a few seconds for those that run. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      ready.clear();
      files.values().forEach(file -> file.tasks.clear());
    }
    threads.shutdown();
    try {
      boolean _ = threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
