package io.fieldstone.sort;

import io.fieldstone.stream.StageProfile;
import java.util.List;
import java.util.OptionalLong;

/**
 * What sorting a file did.
 *
 * @param records in the file
 * @param bytes of all of them
 * @param runs that were sorted and merged; 1 if all were sorted at once in memory
 * @param seconds it took
 * @param fingerprint of the records ({@link RecordCheck}), if the result was verified
 * @param profile of each stage
 */
public record SortResult(
    long records,
    long bytes,
    int runs,
    double seconds,
    OptionalLong fingerprint,
    List<StageProfile> profile) {

  public SortResult {
    profile = List.copyOf(profile);
  }

  /** Keys sorted a second, files read and written. */
  public double keysPerSecond() {
    return seconds == 0 ? 0 : records / seconds;
  }
}
