package io.fieldstone.net.fetch;

import java.util.List;

/**
 * The end of a fetch of several files.
 *
 * @param files the files that are in their places now
 * @param unchanged those of them that were there before, equal, and were not fetched
 * @param bytes the bytes of these files
 * @param fetchedBytes the bytes that were fetched by this call
 * @param nanos the time that it took
 * @param failures the files that could not be fetched; those of other names are in their places
 * @param added the files that servers have now, and had not at the start
 * @param changed the files that servers replaced meanwhile
 * @param removed the files that no server has any more, and that were not fetched
 * @param sources the share of each server, in the order of the settings
 */
public record FolderResult(
    int files,
    int unchanged,
    long bytes,
    long fetchedBytes,
    long nanos,
    List<Failure> failures,
    List<String> added,
    List<String> changed,
    List<String> removed,
    List<FetchResult.Source> sources) {

  /**
   * A file that could not be fetched.
   *
   * @param name its name
   * @param problem why
   */
  public record Failure(String name, String problem) {}

  /** Copies the lists. */
  public FolderResult {
    failures = List.copyOf(failures);
    added = List.copyOf(added);
    changed = List.copyOf(changed);
    removed = List.copyOf(removed);
    sources = List.copyOf(sources);
  }

  /** Returns true if the files of the servers changed during the fetch. */
  public boolean hasChanged() {
    return !added.isEmpty() || !changed.isEmpty() || !removed.isEmpty();
  }
}
