package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Scans the layers of a set one by one. */
final class LayerScans {

  private final ParityFolder parity;
  private final Optional<SetPlaces> places;
  private final int threads;
  private final ProgressListener listener;
  private long done;

  /**
   * Creates an instance.
   *
   * @param places where the files are; empty if only the volumes are scanned
   * @param threads the number of threads, ≥ 1
   * @param listener receives the progress of all scans together
   */
  LayerScans(
      ParityFolder parity, Optional<SetPlaces> places, int threads, ProgressListener listener) {
    this.parity = parity;
    this.places = places;
    this.threads = threads;
    this.listener = listener;
  }

  /** Scans all layers. */
  List<DamageScan> all() throws IOException, InterruptedException {
    List<DamageScan> scans = new ArrayList<>();
    for (ParityLayer layer : parity.layers()) {
      scans.add(of(layer));
    }
    return scans;
  }

  /** Scans a layer. */
  DamageScan of(ParityLayer layer) throws IOException, InterruptedException {
    Set<Path> others = new HashSet<>();
    for (ParityLayer other : parity.layers()) {
      if (other.manifest().update() != layer.manifest().update()) {
        places.ifPresent(all -> paths(other).forEach(path -> others.add(all.base().resolve(path))));
      }
    }
    long before = done;
    long total = 0;
    for (ParityLayer each : parity.layers()) {
      total += bytes(each.manifest());
    }
    long all = Math.max(total, before + bytes(layer.manifest()));
    DamageScan scan =
        DamageScan.of(
            layer, places, others, threads, (now, _) -> listener.progress(before + now, all));
    done += bytes(layer.manifest());
    return scan;
  }

  /** Returns the paths of the files of a layer that count. */
  static List<String> paths(ParityLayer layer) {
    return layer.live().mapToObj(layer.manifest().files()::get).map(SetFile::path).toList();
  }

  private static long bytes(SetManifest manifest) {
    long blocks = (long) manifest.sourceBlocks() + manifest.shape().parityBlocks();
    return blocks * manifest.shape().blockSize();
  }

  /** Returns the state of the set. */
  SetReport report(List<DamageScan> scans) {
    Set<String> added = new LinkedHashSet<>();
    scans.forEach(scan -> added.addAll(scan.added()));
    return new SetReport(
        scans.stream().map(DamageScan::report).toList(),
        parity.missing(),
        parity.others(),
        List.copyOf(added));
  }
}
