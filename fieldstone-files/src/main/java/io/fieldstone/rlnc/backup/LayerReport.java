package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetManifest;
import java.util.List;

/**
 * The state of a layer of a set.
 *
 * @param manifest the layer
 * @param retiredFiles its files that do not count any more: deleted, changed, or in a newer layer
 * @param liveBytes the total bytes of the other files
 * @param files the files with damage, in the order of the layer; none that is retired
 * @param volumes the volumes with damage, by number
 * @param lost the lost source blocks of files that count, without those found at other places
 * @param lostParity the lost parity blocks
 * @param unrestorableParity those of the lost parity blocks that cannot be computed again, since
 *     their generations have lost too many blocks of retired files
 * @param unrestorableGenerations the generations with more lost source blocks than intact parity,
 *     one of which is of a file that counts
 * @param needed the blocks, source or parity, that are still needed to restore all
 * @param spare the minimum over all generations of intact parity blocks beyond the lost source
 *     blocks; negative if a generation cannot be restored
 * @param used the maximum over all generations of lost source blocks that only retired files have:
 *     the parity that they use up
 */
public record LayerReport(
    SetManifest manifest,
    int retiredFiles,
    long liveBytes,
    List<Damage> files,
    List<Damage> volumes,
    int lost,
    int lostParity,
    int unrestorableParity,
    int unrestorableGenerations,
    int needed,
    int spare,
    int used) {

  public LayerReport {
    files = List.copyOf(files);
    volumes = List.copyOf(volumes);
  }

  /** Returns the number of files that count. */
  public int liveFiles() {
    return manifest.files().size() - retiredFiles;
  }

  /** Returns true if every file that counts and every volume is as it was written. */
  public boolean isIntact() {
    return files.isEmpty() && volumes.isEmpty();
  }

  /** Returns true if every block of the files that count is present or can be restored. */
  public boolean isRestorable() {
    return unrestorableGenerations == 0
        && files.stream().allMatch(file -> file.problem().isEmpty());
  }
}
