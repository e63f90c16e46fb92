package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.stream.StageProfile;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of protecting a set.
 *
 * @param manifest the set
 * @param volumes the volumes, by number
 * @param volumeBytes the bytes of all volumes
 * @param seconds the duration
 * @param profile the profile of each stage
 * @param leftOut what is not in the set: that of the selection, and files that could not be read
 */
public record ProtectionResult(
    SetManifest manifest,
    List<Path> volumes,
    long volumeBytes,
    double seconds,
    List<StageProfile> profile,
    List<Selection.LeftOut> leftOut) {

  public ProtectionResult {
    volumes = List.copyOf(volumes);
    profile = List.copyOf(profile);
    leftOut = List.copyOf(leftOut);
  }

  /** Returns the bytes of all volumes as a multiple of those of the files; 0 without any. */
  public double share() {
    return manifest.length() == 0 ? 0 : (double) volumeBytes / manifest.length();
  }
}
