package io.fieldstone.stream;

/**
 * Receives the progress of a job. Called by one thread of the job at a time; implementations should
 * be fast.
 */
@FunctionalInterface
public interface ProgressListener {

  /** The total of a source of unknown length. */
  long UNKNOWN = -1;

  /** Ignores all progress. */
  ProgressListener NONE = (done, total) -> {};

  /**
   * Called when a part of the job is done.
   *
   * @param done the bytes processed, never decreasing
   * @param total the bytes of the job, or {@link #UNKNOWN}
   */
  void progress(long done, long total);
}
