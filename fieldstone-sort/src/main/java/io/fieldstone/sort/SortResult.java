package io.fieldstone.sort;

import io.fieldstone.stream.StageProfile;
import java.util.List;
import java.util.OptionalLong;

/**
 * The result of sorting a file.
 *
 * @param records the records read
 * @param written the records of the result, fewer if only some were to be kept
 * @param bytes the bytes of the records read
 * @param runs the runs that were sorted and merged; 1 if the file was sorted in memory
 * @param methods the methods that the engine took, in the order of their first use; empty if it
 *     does not report it, or the file is empty
 * @param seconds the duration
 * @param fingerprint the fingerprint of the records ({@link RecordCheck}), if the result was
 *     verified
 * @param profile the profile of each stage
 */
public record SortResult(
    long records,
    long written,
    long bytes,
    int runs,
    List<String> methods,
    double seconds,
    OptionalLong fingerprint,
    List<StageProfile> profile) {

  public SortResult {
    methods = List.copyOf(methods);
    profile = List.copyOf(profile);
  }

  /** Returns the records per second, including reading and writing of files. */
  public double keysPerSecond() {
    return seconds == 0 ? 0 : records / seconds;
  }
}
