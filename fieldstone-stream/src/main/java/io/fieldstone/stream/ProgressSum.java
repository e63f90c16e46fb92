package io.fieldstone.stream;

/** Adds up the bytes that several threads process, and reports each sum. Thread-safe. */
public final class ProgressSum {

  private final long total;
  private final ProgressListener listener;
  private long done;

  /**
   * Creates a sum of 0.
   *
   * @param total the bytes of the job, or {@link ProgressListener#UNKNOWN}
   * @param listener is called by one thread at a time
   */
  public ProgressSum(long total, ProgressListener listener) {
    this.total = total;
    this.listener = listener;
  }

  /**
   * Adds processed bytes and reports the sum, or the total if the sum exceeds it.
   *
   * @param bytes ≥ 0
   */
  public synchronized void add(long bytes) {
    done += bytes;
    listener.progress(total == ProgressListener.UNKNOWN ? done : Math.min(done, total), total);
  }
}
