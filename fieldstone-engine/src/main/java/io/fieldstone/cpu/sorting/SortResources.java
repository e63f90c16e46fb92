package io.fieldstone.cpu.sorting;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.util.function.IntConsumer;

/**
 * The threads and working memory of one call, within a limit. Each thread needs a workbench, so the
 * limit also bounds the number of threads. Thread-safe.
 */
public final class SortResources {

  /**
   * Bytes that a thread needs besides its workbench: counts and heads of its shares, and its stack.
   */
  private static final long THREAD_BYTES = 128 << 10;

  private final TaskPool workers;
  private final SortMemory memory;
  private final long limit;
  private final int threads;
  private final long runBytes;
  private final boolean keepsCopies;

  /**
   * Makes the resources of a call.
   *
   * @param limit maximum working memory in bytes
   * @param copies bytes of copies of items, which do not depend on the number of threads
   * @param itemBytes bytes of all items
   */
  public SortResources(
      TaskPool workers, SortMemory memory, long limit, long copies, long itemBytes) {
    this(workers, memory, limit, copies, itemBytes, true);
  }

  private SortResources(
      TaskPool workers,
      SortMemory memory,
      long limit,
      long copies,
      long itemBytes,
      boolean keepsCopies) {
    this.keepsCopies = keepsCopies;
    this.workers = workers;
    this.memory = memory;
    this.limit = limit;
    this.runBytes = limit == Long.MAX_VALUE ? Workbench.RUN_BYTES : Workbench.runBytes(itemBytes);
    long left = Math.max(0, limit - copies);
    this.threads = Math.clamp(left / threadBytes(itemBytes), 1, workers.threads());
    memory.trim(limit);
  }

  /** Returns the resources of a call whose copies of items are not used again, and are large. */
  static SortResources releasing(
      TaskPool workers, SortMemory memory, long limit, long copies, long itemBytes) {
    return new SortResources(workers, memory, limit, copies, itemBytes, false);
  }

  /** Returns the bytes that a thread needs for {@code itemBytes} bytes of items in total. */
  public static long threadBytes(long itemBytes) {
    return Workbench.bytes(Workbench.runBytes(itemBytes)) + THREAD_BYTES;
  }

  /** Returns the maximum number of concurrent tasks. */
  int threads() {
    return threads;
  }

  /** As {@link TaskPool#forEach(int, IntConsumer)}. */
  void forEach(int tasks, IntConsumer body) {
    workers.forEach(tasks, threads, body);
  }

  /** Returns a workbench of undefined content. */
  Workbench takeWorkbench() {
    return memory.takeWorkbench(runBytes, limit);
  }

  /** Returns a buffer for items. */
  Scratch take(long bytes) {
    return memory.take(bytes, limit);
  }

  /**
   * Ends the use of a range of a buffer, whose pages the system takes back unless they are kept.
   */
  void release(Scratch buffer, long from, long to) {
    if (!keepsCopies) {
      buffer.release(from, to);
    }
  }
}
