package io.fieldstone.net.fetch;

/** Hears of the progress of a {@link FolderFetch}, on any thread, one at a time. Must not block. */
@FunctionalInterface
public interface FolderListener {

  /** Ignores all progress. */
  FolderListener NONE = (doneFiles, totalFiles, doneBytes, totalBytes) -> {};

  /**
   * Called when a part of a file was verified, or a file is complete.
   *
   * @param doneFiles the files that are complete, those that were there before included
   * @param totalFiles the files to fetch
   * @param doneBytes the bytes that are verified
   * @param totalBytes the bytes of all files
   */
  void progress(int doneFiles, int totalFiles, long doneBytes, long totalBytes);
}
