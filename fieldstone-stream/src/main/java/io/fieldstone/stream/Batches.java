package io.fieldstone.stream;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;

/**
 * The division of a job into batches, for all threads of an engine, with memory independent of the
 * file size.
 *
 * @param slots the batches in memory at a time, one for each thread
 * @param generations the generations of a batch
 * @param occupiesAllThreads true if there are so many batches that no thread idles while the last
 *     ones are computed
 */
public record Batches(int slots, int generations, boolean occupiesAllThreads) {

  /**
   * The target memory of a slot on the cores: what one processor finds in its caches. Measured with
   * {@code bench files}.
   */
  private static final long SLOT_BYTES = 2L << 20;

  /** The target memory of a slot of other engines, which work best on many generations. */
  private static final long LARGE_SLOT_BYTES = 48L << 20;

  /** The maximum memory of all slots, if a generation is not larger. */
  private static final long MAX_BYTES = 240L << 20;

  /** The number of slots that {@link #MAX_BYTES} does not reduce: generations may be large. */
  private static final int MIN_SLOTS = 4;

  /** The maximum generations of a batch, which bounds the heap if generations are tiny. */
  private static final long MAX_GENERATIONS = 1024;

  /**
   * The minimum number of batches per thread with which the last ones leave threads idle for a
   * negligible time.
   */
  private static final int MIN_BATCHES_PER_THREAD = 8;

  /**
   * Plans the batches of a job.
   *
   * @param engine the engine that computes
   * @param generationBytes the memory of a generation in a slot
   * @param generations the generations of the object; a large number if unknown
   */
  public static Batches plan(Engine engine, long generationBytes, long generations) {
    boolean isLocal = engine.kind() == EngineKind.CPU;
    // Threads that wait for another engine leave their processors to other threads.
    int threads = isLocal ? engine.threads() : Math.max(MIN_SLOTS, engine.threads());
    long slotBytes = Math.min(isLocal ? SLOT_BYTES : LARGE_SLOT_BYTES, MAX_BYTES / threads);
    long most = Math.max(1, Math.min(MAX_GENERATIONS, Math.ceilDiv(generations, threads)));
    long perSlot = Math.clamp(slotBytes / generationBytes, 1, most);
    long batches = Math.ceilDiv(Math.max(1, generations), perSlot);
    long maxSlots = Math.max(MIN_SLOTS, MAX_BYTES / (perSlot * generationBytes));
    int slots = (int) Math.min(Math.min(threads, maxSlots), batches);
    return new Batches(
        slots, (int) perSlot, slots == threads && batches / slots >= MIN_BATCHES_PER_THREAD);
  }

  /**
   * Computes with an engine: on the calling thread alone if batches keep all threads busy,
   * otherwise on all threads of the engine.
   *
   * @throws X as the work throws it
   */
  public <T, X extends Throwable> T compute(Engine engine, ScopedValue.CallableOp<T, X> work)
      throws X {
    return occupiesAllThreads ? engine.onCallingThread(work) : work.call();
  }
}
