package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetManifest;
import java.nio.file.Path;
import java.util.List;

/**
 * The state of a set.
 *
 * @param manifest the set
 * @param files the files with damage, in the order of the set
 * @param volumes the volumes with damage, by number
 * @param others files in the folder that are no volumes of the set
 * @param added files in the folders of the set that are not part of it, such as new ones: their
 *     paths from the base
 * @param lost the lost source blocks, without those found at other places
 * @param lostParity the lost parity blocks
 * @param unrestorableGenerations the generations with more lost source blocks than intact parity
 * @param needed the blocks, source or parity, that are still needed to restore all
 * @param spare the minimum over all generations of intact parity blocks beyond the lost source
 *     blocks; negative if a generation cannot be restored
 */
public record SetReport(
    SetManifest manifest,
    List<Damage> files,
    List<Damage> volumes,
    List<Path> others,
    List<String> added,
    int lost,
    int lostParity,
    int unrestorableGenerations,
    int needed,
    int spare) {

  public SetReport {
    files = List.copyOf(files);
    volumes = List.copyOf(volumes);
    others = List.copyOf(others);
    added = List.copyOf(added);
  }

  /** Returns true if every file and every volume is as it was written. */
  public boolean isIntact() {
    return files.isEmpty() && volumes.isEmpty();
  }

  /** Returns true if every block of the files is present or can be restored. */
  public boolean isRestorable() {
    return unrestorableGenerations == 0
        && files.stream().allMatch(file -> file.problem().isEmpty());
  }
}
