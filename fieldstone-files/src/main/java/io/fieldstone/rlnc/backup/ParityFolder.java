package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The volumes in a folder, and the manifest that their intact pages form. A volume is known by its
 * pages, also under another name. Without an intact page, it is known by its name.
 *
 * @param manifest the set
 * @param volumes by number
 * @param others files that belong to no volume of the set
 */
record ParityFolder(SetManifest manifest, List<Volume> volumes, List<Path> others) {

  private static final String SUFFIX = ".fsp";

  /** The pages of the largest manifest: where the first page may be searched for. */
  private static final long MAX_PAGES = ManifestPage.pagesOf(SetManifest.MAX_BYTES);

  /** Returns the name of a volume. */
  static String name(int volume) {
    return (volume < 10 ? "parity.0" : "parity.") + volume + SUFFIX;
  }

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

  /** Returns the offset of the parity in each volume. */
  long parityAt() {
    return parityAt(manifest.shape(), manifest.files());
  }

  /** Returns the offset of the parity in each volume of a set. */
  static long parityAt(SetShape shape, List<SetFile> files) {
    return (long) ManifestPage.pagesOf(SetManifest.byteSize(shape, files)) * ManifestPage.BYTES;
  }

  /** Returns the bytes of a volume. */
  long bytesOf(int volume) {
    return parityAt() + manifest.shape().parityBytes(volume);
  }

  /**
   * Reads the manifest.
   *
   * @throws UnreadableSetException if there are no volumes, or a page of the manifest is damaged in
   *     all of them
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
    List<List<Found>> ordered = new ArrayList<>(sets.values());
    ordered.sort(Comparator.comparingLong(ParityFolder::distinctVolumes).reversed());
    requireOneLargest(ordered, folder);
    List<Path> others = new ArrayList<>();
    ordered.stream().skip(1).flatMap(List::stream).map(Found::path).forEach(others::add);
    return assemble(folder, ordered.getFirst(), unknown, others);
  }

  /** Checks that the folder has more volumes of the first set than of the second. */
  private static void requireOneLargest(List<List<Found>> ordered, Path folder)
      throws UnreadableSetException {
    List<Found> most = ordered.getFirst();
    if (ordered.size() > 1 && distinctVolumes(ordered.get(1)) == distinctVolumes(most)) {
      throw new UnreadableSetException(
          "%d volumes each of two sets, such as %s and %s; move those of one away"
              .formatted(
                  distinctVolumes(most),
                  most.getFirst().path.getFileName(),
                  ordered.get(1).getFirst().path.getFileName()),
          folder,
          false);
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

  private static ParityFolder assemble(
      Path folder, List<Found> found, List<Path> unknown, List<Path> others) throws IOException {
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
    SetManifest manifest = parse(bytes, first.set(), folder);
    List<Volume> volumes = new ArrayList<>();
    for (int number = 0; number < manifest.shape().volumes(); number++) {
      volumes.add(volume(folder, number, manifest, found, unknown));
    }
    found.stream().map(Found::path).filter(path -> !isOf(volumes, path)).forEach(others::add);
    others.addAll(unknown);
    List<Volume> placed = new ArrayList<>();
    for (int number = 0; number < volumes.size(); number++) {
      Volume volume = volumes.get(number);
      placed.add(volume.exists() ? volume : missing(folder, number, volumes, volume));
    }
    return new ParityFolder(manifest, List.copyOf(placed), List.copyOf(others));
  }

  private static boolean isOf(List<Volume> volumes, Path path) {
    return volumes.stream().anyMatch(volume -> volume.path().equals(path));
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
  private static Volume missing(Path folder, int number, List<Volume> volumes, Volume volume) {
    Path path = folder.resolve(name(number));
    for (int other = volumes.size(); Files.exists(path); other += volumes.size()) {
      path = folder.resolve(name(number + other));
    }
    return new Volume(path, false, volume.damagedPages());
  }

  /**
   * Finds a volume; a file without an intact page is known by its name. Of copies, the one with the
   * right length and most intact pages is taken.
   */
  private static Volume volume(
      Path folder, int number, SetManifest manifest, List<Found> found, List<Path> unknown) {
    long at = parityAt(manifest.shape(), manifest.files());
    long bytes = at + manifest.shape().parityBytes(number);
    BitSet damaged = new BitSet();
    damaged.set(0, (int) (at / ManifestPage.BYTES));
    Path path = folder.resolve(name(number));
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
