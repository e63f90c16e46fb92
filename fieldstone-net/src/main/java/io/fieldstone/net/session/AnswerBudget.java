package io.fieldstone.net.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The memory that all sessions of a server share for requests that wait and for answers that are
 * not read. If more is needed, the session that holds most is closed, so that clients that do not
 * read do not affect those that do. Thread-safe.
 */
public final class AnswerBudget {

  /** The part of the heap that may wait. */
  private static final int HEAP_SHARE = 8;

  private static final long MAX_BYTES = 256L << 20;

  private final long maxBytes;
  private final Set<Share> shares = new HashSet<>();
  private long usedBytes;

  /**
   * Creates a budget.
   *
   * @param maxBytes the maximum bytes of all shares, at least 1
   */
  public AnswerBudget(long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes " + maxBytes + " is less than 1");
    }
    this.maxBytes = maxBytes;
  }

  /** Creates a budget of an eighth of the heap, at most 256 MiB. */
  public static AnswerBudget ofHeap() {
    return new AnswerBudget(Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  /**
   * Opens the share of a session.
   *
   * @param onTaken called once, by any thread, if the share is closed because it is the largest
   */
  synchronized Share open(Runnable onTaken) {
    Share share = new Share(onTaken);
    shares.add(share);
    return share;
  }

  /** Returns the bytes of all shares. */
  synchronized long usedBytes() {
    return usedBytes;
  }

  /** What one session holds. Thread-safe. */
  final class Share implements AutoCloseable {
    private final Runnable onTaken;
    private long bytes;
    private boolean isClosed;

    private Share(Runnable onTaken) {
      this.onTaken = onTaken;
    }

    /**
     * Adds bytes that the session is about to hold.
     *
     * @return false if this share is closed; the session then holds nothing more
     */
    boolean add(long added) {
      List<Share> taken = new ArrayList<>();
      synchronized (AnswerBudget.this) {
        if (isClosed) {
          return false;
        }
        bytes += added;
        usedBytes += added;
        while (usedBytes > maxBytes) {
          Share largest =
              shares.stream().max(Comparator.comparingLong(each -> each.bytes)).orElseThrow();
          largest.end();
          taken.add(largest);
        }
      }
      taken.forEach(each -> each.onTaken.run());
      return !taken.contains(this);
    }

    /** Gives bytes back that were added. */
    void remove(long removed) {
      synchronized (AnswerBudget.this) {
        if (!isClosed) {
          bytes -= removed;
          usedBytes -= removed;
        }
      }
    }

    private void end() {
      isClosed = true;
      usedBytes -= bytes;
      bytes = 0;
      shares.remove(this);
    }

    @Override
    public void close() {
      synchronized (AnswerBudget.this) {
        if (!isClosed) {
          end();
        }
      }
    }
  }
}
