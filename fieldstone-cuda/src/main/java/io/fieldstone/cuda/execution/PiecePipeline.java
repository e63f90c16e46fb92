package io.fieldstone.cuda.execution;

import java.util.List;

/**
 * Sends pieces round over lanes, so that one lane's upload, another's kernels and a third's
 * download run at the same time. With one lane it is a plain loop.
 *
 * <p>A lane does its pieces one after the other by itself. So the host waits for a piece before the
 * lane's next one only where it has something to do in between; if it has not, the GPU is told of
 * all pieces at once, and however long a waiting thread takes to wake up, nothing stands still.
 */
final class PiecePipeline {

  /** What is done with a piece in its lane. */
  interface Work<P> {
    /** Asks for everything that can be asked for without waiting. */
    void enqueue(StreamSlot slot, P piece);

    /**
     * Asks for what depends on results of {@link #enqueue}, after waiting for those; the next
     * pieces are under way by then.
     */
    default void enqueueDependent(StreamSlot slot, P piece) {}

    /** Waits for what was asked and brings the results home. */
    void finish(StreamSlot slot, P piece);
  }

  /**
   * Pieces that are begun before one must proceed: while the host waits for its kernels, the next
   * one goes up, and the one after it is ready to follow at once.
   */
  private static final int MAX_LOOKAHEAD = 2;

  private PiecePipeline() {}

  /**
   * Runs {@code work} over all pieces and returns when it is done, or failed, in every lane.
   *
   * @param waits whether a piece is finished before its lane begins another
   */
  static <P> void run(List<P> pieces, List<StreamSlot> slots, boolean waits, Work<P> work) {
    int count = pieces.size();
    int depth = slots.size();
    int ahead = waits ? depth : count;
    // Before a lane is finished its piece must have proceeded: at once if it is the only lane.
    int behind = Math.min(MAX_LOOKAHEAD, depth - 1);
    boolean done = false;
    try {
      for (int i = 0; i < count + ahead; i++) {
        if (i >= ahead) {
          work.finish(slots.get((i - ahead) % depth), pieces.get(i - ahead));
        }
        if (i < count) {
          work.enqueue(slots.get(i % depth), pieces.get(i));
        }
        int previous = i - behind;
        if (previous >= 0 && previous < count) {
          work.enqueueDependent(slots.get(previous % depth), pieces.get(previous));
        }
      }
      done = true;
    } finally {
      if (!done) {
        // The memory that the GPU still writes to is the caller's again when this returns.
        slots.forEach(StreamSlot::drain);
      }
    }
  }
}
