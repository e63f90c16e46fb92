package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.SpaceNeeds;
import io.fieldstone.stream.file.Temporaries;
import io.fieldstone.stream.file.WriteRights;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The files and volumes that a repair writes. Those that exist are written in place. Others are
 * written under temporary names: missing ones, files with moved blocks, and files that were found
 * under another name and are not whole. Blocks of zeros become holes where a file has no bytes yet.
 * Writing blocks is thread-safe.
 */
final class RepairTargets implements Closeable {

  private final DamageScan scan;
  private final SetManifest manifest;

  /** The files that are made again, by the number of the file. */
  private final Map<Integer, OpenFile> created = new HashMap<>();

  /** The damaged files that are written in place, by the number of the file. */
  private final Map<Integer, Path> damaged = new HashMap<>();

  /** The volumes, by number: open for writing if they are damaged, else for reading. */
  private final Map<Integer, OpenFile> volumes = new HashMap<>();

  /** The files that stay incomplete; they keep the time at which they were written. */
  private final BitSet incomplete = new BitSet();

  /** The hash of a block of zeros. */
  private final Sha256 zeros;

  private final WriteRights rights;
  private final List<Integer> damagedVolumes = new ArrayList<>();

  /**
   * Opens or creates all targets, so that a file that cannot be written is found before anything
   * is.
   *
   * @param rights lets the owner write read-only files and folders
   * @throws IOException if a target cannot be written, or there is not enough space
   */
  RepairTargets(DamageScan scan, LayerReport report, Temporaries temporaries, WriteRights rights)
      throws IOException {
    this.scan = scan;
    this.rights = rights;
    this.manifest = scan.folder().manifest();
    int k = manifest.shape().blockSize();
    this.zeros = new HashTree().leaf(MemorySegment.ofArray(new byte[k]));
    try {
      SpaceNeeds needs = new SpaceNeeds();
      openFiles(report, temporaries, needs);
      openVolumes(report, temporaries, needs);
      needs.require();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void openFiles(LayerReport report, Temporaries temporaries, SpaceNeeds needs)
      throws IOException {
    Map<Integer, Damage> damages = damagesByFile(report);
    BitSet madeAgain = madeAgain(damages);
    BitSet left = left(damages, madeAgain);
    for (Map.Entry<Integer, Damage> each : damages.entrySet()) {
      int file = each.getKey();
      Path path = scan.pathOf(file);
      Path target = scan.targetOf(file);
      if (left.get(file)) {
        continue;
      }
      if (madeAgain.get(file)) {
        makeFolder(target, temporaries);
        boolean exists = path.equals(target) && !each.getValue().isMissing();
        if (exists) {
          rights.grant(target);
        }
        OpenFile made = temporaries.create(target, exists);
        temporaries.stamp(made, scan.stampOf(file));
        created.put(file, made);
        needs.add(Temporaries.directoryOf(target), denseBytes(file, 0));
      } else {
        rights.grant(path);
        OpenFile.update(path).close();
        damaged.put(file, path);
        incomplete.set(file, each.getValue().unrestorable() > 0);
        needs.add(directoryOf(path), denseBytes(file, each.getValue().found()));
        if (!path.equals(target)) {
          makeFolder(target, temporaries);
        }
      }
    }
  }

  /**
   * Returns the bytes of a file from an offset on, without those of blocks of zeros, which become
   * holes.
   */
  private long denseBytes(int file, long from) {
    long bytes = 0;
    for (int piece = scan.blocks().firstOf(file);
        piece < scan.blocks().firstOf(file + 1);
        piece++) {
      long end = scan.blocks().offsetOf(piece) + scan.blocks().bytesOf(piece);
      if (end > from && !manifest.isPiece(piece, zeros)) {
        bytes += Math.min(scan.blocks().bytesOf(piece), end - from);
      }
    }
    return bytes;
  }

  /** Returns the directory of a file that exists. */
  private static Path directoryOf(Path file) {
    return Optional.ofNullable(file.getParent()).orElse(file);
  }

  private Map<Integer, Damage> damagesByFile(LayerReport report) {
    Map<Integer, Damage> damages = new LinkedHashMap<>();
    int file = 0;
    for (Damage damage : report.files()) {
      while (!manifest.files().get(file).path().equals(damage.name())) {
        file++;
      }
      damages.put(file, damage);
    }
    return damages;
  }

  /**
   * Returns the files that are not written in place: missing ones, those with moved blocks, and
   * those that were found under another name and are not whole. Such a file may be a copy that was
   * changed since, so it is left. So is one in a further folder.
   */
  private BitSet madeAgain(Map<Integer, Damage> damages) {
    BitSet files = scan.rewrittenFiles();
    damages.forEach((file, damage) -> {
      boolean isWhole = damage.lost() + damage.moved() == 0;
      boolean isRenamed = isWhole && !scan.isElsewhere(file);
      if (damage.isMissing() || !damage.foundAs().isEmpty() && !isRenamed) {
        files.set(file);
      }
    });
    return files;
  }

  /**
   * Returns the files that are not written: those with a problem, those that would be made again
   * and cannot be, and those that the moved blocks of such files lie in.
   */
  private BitSet left(Map<Integer, Damage> damages, BitSet madeAgain) {
    BitSet files = new BitSet();
    damages.forEach((file, damage) -> {
      if (!damage.problem().isEmpty() || madeAgain.get(file) && damage.unrestorable() > 0) {
        files.set(file);
      }
    });
    int before;
    do {
      before = files.cardinality();
      for (int block = 0; block < scan.blocks().count(); block++) {
        if (scan.moved().isElsewhere(block) && files.get(scan.blocks().fileOf(block))) {
          int holder = scan.moved().fileOf(block);
          // One that was found under another name, or is of no set, is not written.
          if (scan.isOfSet(holder) && scan.pathOf(holder).equals(scan.targetOf(holder))) {
            files.set(holder);
          }
        }
      }
    } while (files.cardinality() > before);
    return files;
  }

  private void makeFolder(Path path, Temporaries temporaries) throws IOException {
    Path parent = path.getParent();
    if (parent != null) {
      Path existing = parent;
      while (!Files.exists(existing) && existing.getParent() != null) {
        existing = existing.getParent();
      }
      rights.grant(existing);
      temporaries.createDirectories(parent);
    }
  }

  private void openVolumes(LayerReport report, Temporaries temporaries, SpaceNeeds needs)
      throws IOException {
    Map<String, Damage> damages =
        report.volumes().stream().collect(Collectors.toMap(Damage::name, damage -> damage));
    List<Volume> found = scan.folder().volumes();
    for (int number = 0; number < found.size(); number++) {
      Path path = found.get(number).path();
      Optional<Damage> damage =
          Optional.ofNullable(damages.get(String.valueOf(path.getFileName())));
      if (damage.isPresent() && !damage.get().problem().isEmpty()) {
        continue;
      }
      if (damage.isPresent()) {
        damagedVolumes.add(number);
      }
      if (!found.get(number).exists()) {
        rights.grant(directoryOf(path));
        volumes.put(number, temporaries.create(path, false));
        needs.add(Temporaries.directoryOf(path), scan.folder().bytesOf(number));
      } else {
        Path real = path.toRealPath();
        needs.add(directoryOf(real), damage.map(one -> one.length() - one.found()).orElse(0L));
        if (damage.isPresent()) {
          rights.grant(real);
        }
        volumes.put(number, damage.isPresent() ? OpenFile.update(real) : OpenFile.read(real));
      }
    }
  }

  /** Reads an intact parity block. */
  void readParity(int generation, int row, MemorySegment target) throws IOException {
    OpenFile volume = volumes.get(row % count());
    if (volume == null) {
      throw new IllegalStateException("row %d is in an unreadable volume".formatted(row));
    }
    volume.readFully(target, parityAt(generation, row));
  }

  /** Writes a parity block, unless its volume is left as it is. */
  void writeParity(int generation, int row, MemorySegment bytes) throws IOException {
    OpenFile volume = volumes.get(row % count());
    if (volume != null && scan.folder().volumes().get(row % count()).exists()) {
      volume.write(bytes, parityAt(generation, row));
    } else if (volume != null) {
      volume.writeSparsely(bytes, parityAt(generation, row));
    }
  }

  /** Returns the number of volumes of the set. */
  private int count() {
    return manifest.shape().volumes();
  }

  private long parityAt(int generation, int row) {
    long block = (long) (row / count()) * manifest.shape().generations() + generation;
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
      missing.get().writeSparsely(stored, at);
    } else if (damaged.containsKey(file)) {
      OpenFile open = kept.of(scan.pathOf(file));
      if (at >= scan.foundBytes(file) && !incomplete.get(file)) {
        open.writeSparsely(stored, at);
      } else {
        open.write(stored, at);
      }
    }
  }

  /**
   * Returns the blocks to copy, in ascending order: the intact ones of files that are made again,
   * and those of damaged files that are equal to intact ones.
   */
  int[] copies() {
    IntPredicate isCopied =
        block -> {
          int file = scan.blocks().fileOf(block);
          return !scan.isLost(block) && created.containsKey(file)
              || scan.moved().isEqual(block) && damaged.containsKey(file);
        };
    return IntStream.range(0, scan.blocks().count()).filter(isCopied).toArray();
  }

  /** Keeps the new modes of files that were replaced. Called after the commit. */
  void committed() {
    created.keySet().forEach(file -> rights.forget(scan.targetOf(file)));
  }

  /** Mends lengths, names and manifests, and forces what was written in place to the disk. */
  void finish() throws IOException {
    for (Map.Entry<Integer, OpenFile> file : created.entrySet()) {
      file.getValue().extend(manifest.files().get(file.getKey()).length());
    }
    for (Map.Entry<Integer, Path> file : damaged.entrySet()) {
      SetFile expected = manifest.files().get(file.getKey());
      try (OpenFile open = OpenFile.update(file.getValue())) {
        open.truncate(expected.length());
        if (!incomplete.get(file.getKey())) {
          open.extend(expected.length());
        }
        open.force();
      }
      Path target = scan.targetOf(file.getKey());
      if (!file.getValue().equals(target)) {
        rights.grant(directoryOf(file.getValue()));
        scan.moveBack(file.getKey());
      }
      if (!incomplete.get(file.getKey())) {
        rights.forget(file.getValue());
        scan.stampOf(file.getKey()).applyTo(target);
      }
    }
    Sha256 id = manifest.id();
    byte[] bytes = manifest.toBytes();
    for (int number : damagedVolumes) {
      OpenFile volume = Objects.requireNonNull(volumes.get(number));
      for (int page : scan.folder().volumes().get(number).damagedPages().stream().toArray()) {
        byte[] stored = ManifestPage.of(id, bytes, page, number).toBytes();
        volume.write(MemorySegment.ofArray(stored), (long) page * ManifestPage.BYTES);
      }
      volume.truncate(scan.folder().bytesOf(number));
      if (scan.folder().volumes().get(number).exists()) {
        volume.force();
      } else {
        volume.extend(scan.folder().bytesOf(number));
      }
    }
  }

  /** Closes the volumes that exist. */
  @Override
  public void close() throws IOException {
    for (Map.Entry<Integer, OpenFile> volume : volumes.entrySet()) {
      if (scan.folder().volumes().get(volume.getKey()).exists()) {
        volume.getValue().close();
      }
    }
  }
}
