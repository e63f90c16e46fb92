package io.fieldstone.cuda.execution;

import java.util.List;

/**
 * Runs pieces on several stream slots in turn, so that uploads, kernels and downloads overlap. With
 * one slot it is a plain loop.
 *
 * <p>A stream runs its pieces in order. The host waits between two pieces of a slot only if it has
 * to copy memory there. Otherwise it enqueues all pieces at once, and a late wake-up of the host
 * thread does not stall the GPU.
 */
final class PiecePipeline {

  /** The steps of a piece in its slot. */
  interface Work<P> {
    /** Enqueues all work that needs no waiting. */
    void enqueue(StreamSlot slot, P piece);

    /**
     * Waits for results of {@link #enqueue} and enqueues the work that depends on them. Later
     * pieces are already running.
     */
    default void enqueueDependent(StreamSlot slot, P piece) {}

    /** Waits for the enqueued work and copies its results to the caller's memory. */
    void finish(StreamSlot slot, P piece);
  }

  /**
   * The maximum number of later pieces that are enqueued before {@link Work#enqueueDependent}.
   * While the host waits for the kernels of a piece, the next one is uploaded, and the one after it
   * is ready.
   */
  private static final int MAX_LOOKAHEAD = 2;

  private PiecePipeline() {}

  /**
   * Runs {@code work} on all pieces. Leaves no work in the slots, unless it throws.
   *
   * @param waits whether a piece must finish before its slot starts another
   */
  static <P> void run(List<P> pieces, List<StreamSlot> slots, boolean waits, Work<P> work) {
    int count = pieces.size();
    int depth = slots.size();
    int maxUnfinished = waits ? depth : count;
    // A piece must call enqueueDependent before finish: at once if there is one slot.
    int lookahead = Math.min(MAX_LOOKAHEAD, depth - 1);
    for (int i = 0; i < count + maxUnfinished; i++) {
      if (i >= maxUnfinished) {
        work.finish(slots.get((i - maxUnfinished) % depth), pieces.get(i - maxUnfinished));
      }
      if (i < count) {
        work.enqueue(slots.get(i % depth), pieces.get(i));
      }
      int dependent = i - lookahead;
      if (dependent >= 0 && dependent < count) {
        work.enqueueDependent(slots.get(dependent % depth), pieces.get(dependent));
      }
    }
  }
}
