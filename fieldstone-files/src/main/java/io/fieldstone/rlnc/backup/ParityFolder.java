package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetLayer;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The volumes in a folder, and the layers that the manifests in their intact pages form. A volume
 * is known by its pages, also under another name. Without an intact page, it is known by its name.
 *
 * @param layers the layers that can be read and have files that count, the newest last; at least
 *     the newest
 * @param missing the layers that cannot be read
 * @param others files that belong to no volume of the set
 */
record ParityFolder(
    List<ParityLayer> layers, List<SetReport.MissingLayer> missing, List<Path> others) {

  private static final String SUFFIX = ParityLayer.SUFFIX;

  /** The pages of the largest manifest: where the first page may be searched for. */
  private static final long MAX_PAGES = ManifestPage.pagesOf(SetManifest.MAX_BYTES);

  /** Returns the files of a folder with the names of volumes, in the order of their names. */
  static List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(
            folder,
            file ->
                String.valueOf(file.getFileName()).endsWith(SUFFIX) && Files.isRegularFile(file))) {
      found.forEach(files::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    files.sort(null);
    return files;
  }

  /** Returns the manifest of the newest layer, which states the whole set. */
  SetManifest newest() {
    return layers.getLast().manifest();
  }

  /**
   * Reads the manifests.
   *
   * @throws UnreadableSetException if there are no volumes, or a page of the newest manifest is
   *     damaged in all of its volumes
   */
  static ParityFolder open(Path folder) throws IOException {
    Map<Sha256, List<Found>> sets = new LinkedHashMap<>();
    List<Path> unknown = new ArrayList<>();
    List<Path> files = files(folder);
    if (files.isEmpty()) {
      throw new UnreadableSetException("has no volumes (*" + SUFFIX + ")", folder, false);
    }
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    Engine.hashing().expect(bytes);
    Optional<IOException> unreadable = Optional.empty();
    for (Path file : files) {
      Optional<Found> found = Optional.empty();
      try {
        found = find(file);
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        unreadable = unreadable.or(() -> Optional.of(e));
      }
      if (found.isPresent()) {
        sets.computeIfAbsent(found.get().any.set(), _ -> new ArrayList<>()).add(found.get());
      } else {
        unknown.add(file);
      }
    }
    if (sets.isEmpty() && unreadable.isPresent()) {
      throw unreadable.get();
    }
    if (sets.isEmpty()) {
      throw new UnreadableSetException(
          "no page of a manifest is intact in %d volumes".formatted(files.size()), folder, true);
    }
    Map<Sha256, SetManifest> manifests = new LinkedHashMap<>();
    Map<Sha256, UnreadableSetException> broken = new LinkedHashMap<>();
    for (Map.Entry<Sha256, List<Found>> set : sets.entrySet()) {
      try {
        manifests.put(set.getKey(), manifest(folder, set.getValue()));
      } catch (UnreadableSetException e) {
        broken.put(set.getKey(), e);
      }
    }
    Sha256 newest = newest(folder, sets, manifests, broken);
    SetManifest manifest = Objects.requireNonNull(manifests.get(newest));
    requireNoNewer(folder, manifest, sets, broken, unknown);
    Set<Path> rest = new LinkedHashSet<>();
    sets.values().stream().flatMap(List::stream).map(Found::path).forEach(rest::add);
    List<ParityLayer> layers = new ArrayList<>();
    List<SetReport.MissingLayer> missing = new ArrayList<>();
    for (SetLayer layer : manifest.earlier()) {
      Optional<SetManifest> found = Optional.ofNullable(manifests.get(layer.id()));
      if (found.isPresent() && isOf(found.get(), layer)) {
        if (!layer.isRetired()) {
          layers.add(
              layer(folder, found.get(), layer.retired(), sets.get(layer.id()), unknown, rest));
        }
      } else if (!layer.isRetired()) {
        missing.add(
            new SetReport.MissingLayer(
                layer.update(),
                layer.files() - layer.retired().cardinality(),
                broken.containsKey(layer.id())));
      }
    }
    layers.add(layer(folder, manifest, new BitSet(), sets.get(newest), unknown, rest));
    List<Path> others = new ArrayList<>(rest);
    others.addAll(unknown);
    return new ParityFolder(List.copyOf(layers), List.copyOf(missing), List.copyOf(others));
  }

  /** Returns true if a manifest is the one that a newer layer describes. */
  private static boolean isOf(SetManifest manifest, SetLayer layer) {
    return manifest.update() == layer.update() && manifest.files().size() == layer.files();
  }

  /**
   * Returns the layer that no other one names as an earlier one. If there are several, that with
   * the most volumes in all of its layers.
   */
  private static Sha256 newest(
      Path folder,
      Map<Sha256, List<Found>> sets,
      Map<Sha256, SetManifest> manifests,
      Map<Sha256, UnreadableSetException> broken)
      throws UnreadableSetException {
    Map<Sha256, Long> weights = new LinkedHashMap<>();
    sets.forEach((id, found) -> weights.put(id, distinctVolumes(found)));
    for (Map.Entry<Sha256, SetManifest> one : manifests.entrySet()) {
      for (SetLayer layer : one.getValue().earlier()) {
        if (sets.containsKey(layer.id())) {
          weights.remove(layer.id());
          weights.merge(
              one.getKey(), distinctVolumes(sets.getOrDefault(layer.id(), List.of())), Long::sum);
        }
      }
    }
    manifests.values().stream()
        .flatMap(one -> one.earlier().stream())
        .map(SetLayer::id)
        .forEach(weights::remove);
    List<Map.Entry<Sha256, Long>> ordered = new ArrayList<>(weights.entrySet());
    ordered.sort(Map.Entry.<Sha256, Long>comparingByValue().reversed());
    Sha256 first = ordered.getFirst().getKey();
    if (ordered.size() > 1 && ordered.get(1).getValue().equals(ordered.getFirst().getValue())) {
      throw new UnreadableSetException(
          "%d volumes each of two sets, such as %s and %s; move those of one away"
              .formatted(
                  ordered.getFirst().getValue(),
                  name(sets, first),
                  name(sets, ordered.get(1).getKey())),
          folder,
          false);
    }
    Optional<UnreadableSetException> problem = Optional.ofNullable(broken.get(first));
    if (problem.isPresent()) {
      throw problem.get();
    }
    return first;
  }

  /** Returns the name of the first volume of a set. */
  private static String name(Map<Sha256, List<Found>> sets, Sha256 id) {
    return sets.getOrDefault(id, List.of()).stream()
        .map(found -> String.valueOf(found.path.getFileName()))
        .findFirst()
        .orElse("");
  }

  /** Checks that no volume has the name of a newer update, all volumes of which are damaged. */
  private static void requireNoNewer(
      Path folder,
      SetManifest newest,
      Map<Sha256, List<Found>> sets,
      Map<Sha256, UnreadableSetException> broken,
      List<Path> unknown)
      throws UnreadableSetException {
    List<Path> damaged = new ArrayList<>(unknown);
    for (Sha256 id : broken.keySet()) {
      sets.getOrDefault(id, List.of()).forEach(found -> damaged.add(found.path));
    }
    for (Path volume : damaged) {
      String name = String.valueOf(volume.getFileName());
      int update = ParityLayer.updateOf(name);
      if (update > newest.update()) {
        throw new UnreadableSetException(
            "the manifest of update %d is damaged in every volume, such as %s; move these away to use the set as it was before"
                .formatted(update, name),
            folder,
            true);
      }
    }
  }

  /** Returns the number of volumes without copies. */
  private static long distinctVolumes(List<Found> volumes) {
    return volumes.stream().map(volume -> volume.any.volume()).distinct().count();
  }

  /** A file with at least one intact page, and its bytes. */
  private record Found(Path path, long bytes, ManifestPage any, Map<Integer, ByteBuffer> parts) {}

  private static Optional<Found> find(Path path) throws IOException {
    try (OpenFile file = OpenFile.read(path)) {
      Optional<ManifestPage> any = Optional.empty();
      long pages = Math.min(file.size() / ManifestPage.BYTES, MAX_PAGES);
      for (int at = 0; at < pages && any.isEmpty(); at++) {
        int number = at;
        any = page(file, at).filter(page -> page.number() == number);
      }
      if (any.isEmpty()) {
        return Optional.empty();
      }
      Map<Integer, ByteBuffer> parts = new LinkedHashMap<>();
      ManifestPage first = any.get();
      for (int number = 0; number < first.pages(); number++) {
        Optional<ManifestPage> page = page(file, number);
        if (page.isPresent() && isOfSame(page.get(), first, number)) {
          parts.put(number, page.get().part());
        }
      }
      return Optional.of(new Found(path, file.size(), first, parts));
    }
  }

  private static boolean isOfSame(ManifestPage page, ManifestPage first, int number) {
    return page.set().equals(first.set())
        && page.number() == number
        && page.manifestBytes() == first.manifestBytes()
        && page.volume() == first.volume();
  }

  /** Returns an intact page; empty if it is damaged or cannot be read. */
  private static Optional<ManifestPage> page(OpenFile file, int number) throws IOException {
    byte[] bytes = new byte[ManifestPage.BYTES];
    try {
      file.readFully(MemorySegment.ofArray(bytes), (long) number * ManifestPage.BYTES);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException _) {
      return Optional.empty();
    }
    return ManifestPage.parse(bytes);
  }

  private static SetManifest manifest(Path folder, List<Found> found) throws IOException {
    ManifestPage first = found.getFirst().any;
    byte[] bytes = new byte[first.manifestBytes()];
    for (int number = 0; number < first.pages(); number++) {
      Optional<ByteBuffer> part = part(found, number, first.manifestBytes());
      if (part.isEmpty()) {
        throw new UnreadableSetException(
            "page %d of the manifest is damaged in every volume".formatted(number), folder, true);
      }
      ByteBuffer copied = part.get();
      copied.get(0, bytes, number * ManifestPage.PART_BYTES, copied.limit());
    }
    return parse(bytes, first.set(), folder);
  }

  /** Assembles a layer, and removes its volumes from the files that belong to none. */
  private static ParityLayer layer(
      Path folder,
      SetManifest manifest,
      BitSet retired,
      @Nullable List<Found> found,
      List<Path> unknown,
      Set<Path> rest) {
    List<Found> own = found == null ? List.of() : found;
    List<Volume> volumes = new ArrayList<>();
    for (int number = 0; number < manifest.shape().volumes(); number++) {
      volumes.add(volume(folder, number, manifest, own, unknown));
    }
    volumes.stream().filter(Volume::exists).forEach(volume -> rest.remove(volume.path()));
    List<Volume> placed = new ArrayList<>();
    for (int number = 0; number < volumes.size(); number++) {
      Volume volume = volumes.get(number);
      placed.add(
          volume.exists()
              ? volume
              : missing(folder, manifest.update(), number, volumes.size(), volume));
    }
    return new ParityLayer(manifest, List.copyOf(placed), retired);
  }

  private static Optional<ByteBuffer> part(List<Found> found, int number, int manifestBytes) {
    return found.stream()
        .filter(volume -> volume.any.manifestBytes() == manifestBytes)
        .flatMap(volume -> Optional.ofNullable(volume.parts.get(number)).stream())
        .findFirst();
  }

  private static SetManifest parse(byte[] bytes, Sha256 id, Path folder) throws IOException {
    try {
      SetManifest manifest = SetManifest.parse(bytes);
      if (manifest.id().equals(id)) {
        return manifest;
      }
    } catch (MalformedDataException e) {
      throw new UnreadableSetException(
          "the manifest is malformed, " + e.getMessage(), folder, true);
    }
    throw new UnreadableSetException("the pages of the manifest do not have its id", folder, true);
  }

  /** Returns a missing volume under its name, or a free one if another file has it. */
  private static Volume missing(Path folder, int update, int number, int volumes, Volume volume) {
    Path path = folder.resolve(ParityLayer.name(update, number));
    for (int other = volumes; Files.exists(path); other += volumes) {
      path = folder.resolve(ParityLayer.name(update, number + other));
    }
    return new Volume(path, false, volume.damagedPages());
  }

  /**
   * Finds a volume; a file without an intact page is known by its name. Of copies, the one with the
   * right length and most intact pages is taken.
   */
  private static Volume volume(
      Path folder, int number, SetManifest manifest, List<Found> found, List<Path> unknown) {
    long at =
        ParityLayer.parityAt(
            manifest.shape(), manifest.update(), manifest.earlier(), manifest.files());
    long bytes = at + manifest.shape().parityBytes(number);
    BitSet damaged = new BitSet();
    damaged.set(0, (int) (at / ManifestPage.BYTES));
    Path path = folder.resolve(ParityLayer.name(manifest.update(), number));
    Optional<Found> best =
        found.stream()
            .filter(each -> each.any.volume() == number)
            .max(
                Comparator.comparing((Found each) -> each.bytes == bytes)
                    .thenComparingInt(each -> each.parts.size())
                    .thenComparing(each -> each.path.equals(path)));
    if (best.isPresent()) {
      best.get().parts.keySet().forEach(damaged::clear);
      return new Volume(best.get().path, true, damaged);
    }
    boolean exists = unknown.remove(path);
    return new Volume(path, exists, damaged);
  }
}
