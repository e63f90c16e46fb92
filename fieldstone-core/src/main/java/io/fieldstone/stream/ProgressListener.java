package io.fieldstone.stream;

/** Hears how far a job is. Called by one thread of the job at a time, and should return soon. */
@FunctionalInterface
public interface ProgressListener {

  /** The total of a source whose length is not known yet. */
  long UNKNOWN = -1;

  /** Hears nothing. */
  ProgressListener NONE = (done, total) -> {};

  /**
   * Some work is done.
   *
   * @param done bytes of the job that are through, never less than before
   * @param total bytes of the job, or {@link #UNKNOWN}
   */
  void progress(long done, long total);
}
