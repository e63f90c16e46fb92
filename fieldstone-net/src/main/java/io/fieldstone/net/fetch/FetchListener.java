package io.fieldstone.net.fetch;

/** Hears of the progress of a fetch, on any thread, one at a time. Must not block. */
@FunctionalInterface
public interface FetchListener {

  /** Ignores all progress. */
  FetchListener NONE = (doneBytes, totalBytes, sources) -> {};

  /**
   * Called after a part of the object was verified.
   *
   * @param doneBytes the bytes that are verified, with those of an earlier attempt
   * @param totalBytes the bytes of the file
   * @param sources the number of servers that send
   */
  void progress(long doneBytes, long totalBytes, int sources);
}
