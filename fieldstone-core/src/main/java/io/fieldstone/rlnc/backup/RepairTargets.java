package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The files and volumes that a repair writes. Those that exist are written in place. Missing ones,
 * and files with moved blocks, are written under temporary names. Writing blocks is thread-safe.
 */
final class RepairTargets implements Closeable {

  private final DamageScan scan;
  private final SetManifest manifest;

  /** The files that are made again, by the number of the file. */
  private final Map<Integer, OpenFile> created = new HashMap<>();

  /** The damaged files that are written in place, by the number of the file. */
  private final Map<Integer, Path> damaged = new HashMap<>();

  /** The volumes, by number: open for writing if they are damaged, else for reading. */
  private final List<OpenFile> volumes = new ArrayList<>();

  private final List<Integer> damagedVolumes = new ArrayList<>();

  /**
   * Opens or creates all targets, so that a file that cannot be written is found before anything
   * is.
   *
   * @throws IOException if a target cannot be written, or there is not enough space
   */
  RepairTargets(DamageScan scan, SetReport report, Temporaries temporaries) throws IOException {
    this.scan = scan;
    this.manifest = scan.folder().manifest();
    try {
      long bytes = openFiles(report, temporaries) + openVolumes(report, temporaries);
      temporaries.requireSpace(bytes);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private long openFiles(SetReport report, Temporaries temporaries) throws IOException {
    int number = 0;
    long bytes = 0;
    BitSet rewritten = scan.rewrittenFiles();
    for (Damage damage : report.files()) {
      while (!manifest.files().get(number).path().equals(damage.name())) {
        number++;
      }
      Path path = scan.pathOf(number);
      if (!damage.problem().isEmpty()) {
        continue;
      }
      boolean isMadeAgain = damage.isMissing() || rewritten.get(number);
      if (!isMadeAgain) {
        OpenFile.update(path).close();
        damaged.put(number, path);
        makeFolder(scan.targetOf(number), temporaries);
      } else if (damage.unrestorable() == 0) {
        Path target = scan.targetOf(number);
        makeFolder(target, temporaries);
        created.put(number, temporaries.create(target, !damage.isMissing()));
        if (!path.equals(target)) {
          temporaries.remove(path);
        }
        bytes += damage.length();
      }
    }
    return bytes;
  }

  private static void makeFolder(Path path, Temporaries temporaries) throws IOException {
    Path parent = path.getParent();
    if (parent != null) {
      temporaries.createDirectories(parent);
    }
  }

  private long openVolumes(SetReport report, Temporaries temporaries) throws IOException {
    long bytes = 0;
    List<String> names = report.volumes().stream().map(Damage::name).toList();
    List<Volume> found = scan.folder().volumes();
    for (int number = 0; number < found.size(); number++) {
      Path path = found.get(number).path();
      boolean isDamaged = names.contains(String.valueOf(path.getFileName()));
      if (isDamaged) {
        damagedVolumes.add(number);
      }
      if (!found.get(number).exists()) {
        volumes.add(temporaries.create(path, false));
        bytes += scan.folder().bytesOf(number);
      } else {
        volumes.add(isDamaged ? OpenFile.update(path) : OpenFile.read(path));
      }
    }
    return bytes;
  }

  /** Reads an intact parity block. */
  void readParity(int generation, int row, MemorySegment target) throws IOException {
    volumes.get(row % volumes.size()).readFully(target, parityAt(generation, row));
  }

  /** Writes a parity block. */
  void writeParity(int generation, int row, MemorySegment bytes) throws IOException {
    volumes.get(row % volumes.size()).write(bytes, parityAt(generation, row));
  }

  private long parityAt(int generation, int row) {
    long block = (long) (row / volumes.size()) * manifest.shape().generations() + generation;
    return scan.folder().parityAt() + block * manifest.shape().blockSize();
  }

  /**
   * Writes a source block, unless its file is left as it is.
   *
   * @param bytes k bytes with padding
   * @param kept the damaged file that the calling thread wrote last
   */
  void writeSource(int block, MemorySegment bytes, KeptFile kept) throws IOException {
    int file = scan.blocks().fileOf(block);
    MemorySegment stored = bytes.asSlice(0, scan.blocks().bytesOf(block));
    long at = scan.blocks().offsetOf(block);
    Optional<OpenFile> missing = Optional.ofNullable(created.get(file));
    if (missing.isPresent()) {
      missing.get().write(stored, at);
    } else if (damaged.containsKey(file)) {
      kept.of(scan.pathOf(file)).write(stored, at);
    }
  }

  /** Returns the intact blocks of the files that are made again, in ascending order. */
  int[] copies() {
    return created.keySet().stream()
        .flatMapToInt(
            file -> IntStream.range(scan.blocks().firstOf(file), scan.blocks().firstOf(file + 1)))
        .filter(block -> !scan.isLost(block))
        .sorted()
        .toArray();
  }

  /** Mends lengths, names and manifests, and forces what was written in place to the disk. */
  void finish() throws IOException {
    for (Map.Entry<Integer, Path> file : damaged.entrySet()) {
      SetFile expected = manifest.files().get(file.getKey());
      try (OpenFile open = OpenFile.update(file.getValue())) {
        open.truncate(expected.length());
        open.force();
      }
      Path target = scan.targetOf(file.getKey());
      if (!file.getValue().equals(target)) {
        Files.move(file.getValue(), target);
      }
    }
    Sha256 id = manifest.id();
    byte[] bytes = manifest.toBytes();
    for (int number : damagedVolumes) {
      OpenFile volume = volumes.get(number);
      for (int page : scan.folder().volumes().get(number).damagedPages().stream().toArray()) {
        byte[] stored = ManifestPage.of(id, bytes, page, number).toBytes();
        volume.write(MemorySegment.ofArray(stored), (long) page * ManifestPage.BYTES);
      }
      volume.truncate(scan.folder().bytesOf(number));
      if (scan.folder().volumes().get(number).exists()) {
        volume.force();
      }
    }
  }

  /** Closes the volumes that exist. */
  @Override
  public void close() throws IOException {
    for (int number = 0; number < volumes.size(); number++) {
      if (scan.folder().volumes().get(number).exists()) {
        volumes.get(number).close();
      }
    }
  }
}
