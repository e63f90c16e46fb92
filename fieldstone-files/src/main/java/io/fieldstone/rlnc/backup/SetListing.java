package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a set has, by its manifests alone.
 *
 * @param layers its layers, the newest last
 * @param files the files that count, in the order of their paths
 * @param missing the layers that cannot be read
 * @param others files in the folder that are no volumes of the set
 */
public record SetListing(
    List<Layer> layers,
    List<Entry> files,
    List<SetReport.MissingLayer> missing,
    List<Path> others) {

  /**
   * A layer.
   *
   * @param manifest its manifest
   * @param retiredFiles its files that do not count any more
   * @param volumes the names of its volumes, by number
   * @param missingVolumes the number of volumes without a file
   */
  public record Layer(
      SetManifest manifest, int retiredFiles, List<String> volumes, int missingVolumes) {

    public Layer {
      volumes = List.copyOf(volumes);
    }
  }

  /**
   * A file.
   *
   * @param file its path, length, time and mode
   * @param update the number of the update that protects it; 0 for the first layer
   */
  public record Entry(SetFile file, int update) {}

  public SetListing {
    layers = List.copyOf(layers);
    files = List.copyOf(files);
    missing = List.copyOf(missing);
    others = List.copyOf(others);
  }

  static SetListing of(ParityFolder parity) {
    List<Layer> layers = new ArrayList<>();
    List<Entry> files = new ArrayList<>();
    for (ParityLayer layer : parity.layers()) {
      SetManifest manifest = layer.manifest();
      layers.add(
          new Layer(
              manifest,
              layer.retired().cardinality(),
              layer.volumes().stream()
                  .map(volume -> String.valueOf(volume.path().getFileName()))
                  .toList(),
              (int) layer.volumes().stream().filter(volume -> !volume.exists()).count()));
      layer
          .live()
          .forEach(file -> files.add(new Entry(manifest.files().get(file), manifest.update())));
    }
    files.sort(Comparator.comparing(entry -> entry.file().path()));
    return new SetListing(layers, files, parity.missing(), parity.others());
  }

  /** Returns the total bytes of the files. */
  public long length() {
    return files.stream().mapToLong(entry -> entry.file().length()).sum();
  }

  /** Returns the bytes of all blocks, which verifying reads. */
  public long blockBytes() {
    return layers.stream()
        .map(Layer::manifest)
        .mapToLong(one ->
            ((long) one.sourceBlocks() + one.shape().parityBlocks()) * one.shape().blockSize())
        .sum();
  }

  /** Returns the bytes of all parity blocks, which verifying without the files reads. */
  public long parityBytes() {
    return layers.stream()
        .map(layer -> layer.manifest().shape())
        .mapToLong(shape -> (long) shape.parityBlocks() * shape.blockSize())
        .sum();
  }
}
