package io.fieldstone.cpu.sorting;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.util.function.IntConsumer;

/**
 * What one call of a sort works with: threads, and memory of the engine within a limit. Each thread
 * needs a workbench, so that a limit is one of threads too. Thread-safe.
 */
public final class SortResources {

  /**
   * Bytes that a thread takes besides its workbench: counts and heads of its shares, and its stack.
   */
  private static final long THREAD_BYTES = 128 << 10;

  private final TaskPool workers;
  private final SortMemory memory;
  private final long limit;
  private final int threads;
  private final long runBytes;

  /**
   * Room for a call.
   *
   * @param limit bytes of working memory that should not be exceeded
   * @param copies bytes of copies of items, which are taken in any case
   * @param itemBytes bytes of all items
   */
  public SortResources(
      TaskPool workers, SortMemory memory, long limit, long copies, long itemBytes) {
    this.workers = workers;
    this.memory = memory;
    this.limit = limit;
    this.runBytes = limit == Long.MAX_VALUE ? Workbench.RUN_BYTES : Workbench.runBytes(itemBytes);
    long left = Math.max(0, limit - copies);
    this.threads = Math.clamp(left / threadBytes(itemBytes), 1, workers.threads());
    memory.trim(limit);
  }

  /** Bytes that a thread takes to sort some of so many bytes of items. */
  public static long threadBytes(long itemBytes) {
    return Workbench.bytes(Workbench.runBytes(itemBytes)) + THREAD_BYTES;
  }

  /** How many tasks can run at once. */
  int threads() {
    return threads;
  }

  /** As {@link TaskPool#forEach(int, IntConsumer)}. */
  void forEach(int tasks, IntConsumer body) {
    workers.forEach(tasks, threads, body);
  }

  /** A workbench of any content. */
  Workbench takeBench() {
    return memory.takeBench(runBytes, limit);
  }

  /** Memory for so many bytes of items. */
  Scratch take(long bytes) {
    return memory.take(bytes, limit);
  }
}
