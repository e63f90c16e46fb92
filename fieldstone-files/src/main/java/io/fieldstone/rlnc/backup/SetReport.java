package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetManifest;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The state of a set.
 *
 * @param layers its layers, the newest last; at least one
 * @param missing the layers that cannot be read; their files are not protected
 * @param others files in the folder that are no volumes of the set
 * @param added files in the folders of the set that are not part of it, such as new ones: their
 *     paths from the base
 */
public record SetReport(
    List<LayerReport> layers, List<MissingLayer> missing, List<Path> others, List<String> added) {

  /**
   * A layer that the newest one names, and that cannot be read.
   *
   * @param update the number of its update; 0 for the first layer
   * @param files the number of its files that count
   * @param isDamaged whether there are volumes of it, and a part of the manifest is intact in none
   */
  public record MissingLayer(int update, int files, boolean isDamaged) {}

  public SetReport {
    layers = List.copyOf(layers);
    missing = List.copyOf(missing);
    others = List.copyOf(others);
    added = List.copyOf(added);
  }

  /** Returns the manifest of the newest layer, whose id is that of the set. */
  public SetManifest manifest() {
    return layers.getLast().manifest();
  }

  /** Returns the number of files of the set. */
  public int fileCount() {
    return layers.stream().mapToInt(LayerReport::liveFiles).sum();
  }

  /** Returns the total bytes of the files. */
  public long length() {
    return layers.stream().mapToLong(LayerReport::liveBytes).sum();
  }

  /** Returns the files with damage, in the order of the layers. */
  public List<Damage> files() {
    return layers.stream().flatMap(layer -> layer.files().stream()).toList();
  }

  /** Returns the volumes with damage, in the order of the layers. */
  public List<Damage> volumes() {
    return layers.stream().flatMap(layer -> layer.volumes().stream()).toList();
  }

  /** Returns the number of lost source blocks, without those found at other places. */
  public int lost() {
    return layers.stream().mapToInt(LayerReport::lost).sum();
  }

  /** Returns the number of lost parity blocks. */
  public int lostParity() {
    return layers.stream().mapToInt(LayerReport::lostParity).sum();
  }

  /** Returns the number of lost parity blocks that cannot be computed again. */
  public int unrestorableParity() {
    return layers.stream().mapToInt(LayerReport::unrestorableParity).sum();
  }

  /** Returns the number of generations that cannot be restored. */
  public int unrestorableGenerations() {
    return layers.stream().mapToInt(LayerReport::unrestorableGenerations).sum();
  }

  /** Returns the number of blocks that are still needed to restore all. */
  public int needed() {
    return layers.stream().mapToInt(LayerReport::needed).sum();
  }

  /**
   * Returns the minimum over all generations of intact parity blocks beyond the lost source blocks;
   * negative if a generation cannot be restored. Layers without blocks do not count, if there are
   * others.
   */
  public int spare() {
    Stream<LayerReport> counting =
        layers.stream().filter(layer -> layer.manifest().shape().generations() > 0);
    return counting.mapToInt(LayerReport::spare).min().orElseGet(() -> layers.getLast().spare());
  }

  /** Returns true if every file and every volume is as it was written, and no layer is missing. */
  public boolean isIntact() {
    return missing.isEmpty() && layers.stream().allMatch(LayerReport::isIntact);
  }

  /**
   * Returns true if every block of the files is present or can be restored, and no layer is
   * missing.
   */
  public boolean isRestorable() {
    return missing.isEmpty() && layers.stream().allMatch(LayerReport::isRestorable);
  }
}
