package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetLayer;
import io.fieldstone.rlnc.wire.SetManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a new layer follows: the earlier layers, and which of their files do not count any more.
 *
 * @param set the earlier layers; empty if the new layer is the first, and replaces all volumes
 * @param gone the paths of files that were deleted on purpose
 */
record History(Optional<ParityFolder> set, Set<String> gone) {

  /** The retired layers that a manifest names, so that copies of their volumes are known. */
  private static final int MAX_RETIRED = 64;

  /** Follows nothing. */
  static final History NONE = new History(Optional.empty(), Set.of());

  /** Returns the number of the new update; 0 of a first layer. */
  int update() {
    return set.map(parity -> parity.newest().update() + 1).orElse(0);
  }

  /**
   * Returns what the new layer states about the earlier ones.
   *
   * @param files the files of the new layer
   */
  List<SetLayer> earlier(List<SetFile> files) {
    if (set.isEmpty()) {
      return List.of();
    }
    Set<String> paths = files.stream().map(SetFile::path).collect(Collectors.toSet());
    ParityFolder parity = set.get();
    List<SetLayer> all = new ArrayList<>();
    for (SetLayer layer : parity.newest().earlier()) {
      Optional<ParityLayer> found =
          parity.layers().stream()
              .filter(each -> each.manifest().update() == layer.update())
              .findFirst();
      BitSet retired = new BitSet();
      retired.set(0, layer.files()); // Of one that cannot be read, too.
      found.ifPresent(each -> {
        retired.clear();
        retired.or(retired(each, paths));
      });
      all.add(new SetLayer(layer.id(), layer.update(), layer.files(), retired));
    }
    ParityLayer newest = parity.layers().getLast();
    SetManifest manifest = newest.manifest();
    all.add(
        new SetLayer(
            manifest.id(), manifest.update(), manifest.files().size(), retired(newest, paths)));
    long old = all.stream().filter(SetLayer::isRetired).count() - MAX_RETIRED;
    List<SetLayer> kept = new ArrayList<>();
    for (SetLayer layer : all) {
      if (!layer.isRetired() || old <= 0) {
        kept.add(layer);
      } else {
        old--;
      }
    }
    return kept;
  }

  private BitSet retired(ParityLayer layer, Set<String> paths) {
    BitSet retired = (BitSet) layer.retired().clone();
    layer
        .live()
        .filter(file -> {
          String path = layer.manifest().files().get(file).path();
          return gone.contains(path) || paths.contains(path);
        })
        .forEach(retired::set);
    return retired;
  }

  /** Returns the volumes that are not needed any more. */
  List<Path> removals(List<SetLayer> earlier) {
    List<Path> paths = new ArrayList<>();
    for (ParityLayer layer : set.map(ParityFolder::layers).orElse(List.of())) {
      boolean isRetired =
          earlier.stream()
              .noneMatch(each -> each.update() == layer.manifest().update() && !each.isRetired());
      if (isRetired) {
        layer.volumes().stream().filter(Volume::exists).map(Volume::path).forEach(paths::add);
      }
    }
    return paths;
  }
}
