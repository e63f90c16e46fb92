package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A protected set in a folder: {@code base} with the files, {@code base/parity} with volumes. */
final class TestSet {

  static final int K = 64;

  private final Engine engine;
  private final Path base;
  private final Path parity;
  private int volumes = 3;
  private final Map<String, byte[]> contents = new TreeMap<>();

  TestSet(Engine engine, Path base) {
    this.engine = engine;
    this.base = base;
    this.parity = base.resolve("parity");
  }

  Path base() {
    return base;
  }

  Path parity() {
    return parity;
  }

  /** Writes a file of random bytes. */
  TestSet add(String path, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(31L * length + path.hashCode()).nextBytes(content);
    return add(path, content);
  }

  /** Writes a file. */
  TestSet add(String path, byte[] content) throws IOException {
    Path file = base.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    contents.put(path, content);
    return this;
  }

  /** Sets the number of volumes, which is 3 otherwise. */
  TestSet inVolumes(int count) {
    volumes = count;
    return this;
  }

  /** Protects with generations of at most 8 blocks, redundancy 1/2 and three volumes. */
  ProtectionResult protect() throws Exception {
    return protect(ProgressListener.NONE);
  }

  ProtectionResult protect(ProgressListener listener) throws Exception {
    ProtectionParameters parameters =
        new ProtectionParameters(
            0.5, OptionalInt.of(8), OptionalInt.of(K), OptionalInt.of(volumes));
    return new Protector(engine, parameters, true)
        .protect(Selection.of(List.of(base), parity), parity, listener);
  }

  SetReport verify() throws Exception {
    return SetVerifier.open(parity, 2).verify(base, ProgressListener.NONE);
  }

  RepairResult repair() throws Exception {
    return repair(false, ProgressListener.NONE);
  }

  RepairResult repair(boolean isPartial, ProgressListener listener) throws Exception {
    return SetRepairer.open(engine, parity).repair(base, isPartial, listener);
  }

  /** Inverts bytes of a file. */
  static void invert(Path file, long from, long to) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int at = (int) from; at < Math.min(to, bytes.length); at++) {
      bytes[at] = (byte) ~bytes[at];
    }
    Files.write(file, bytes);
  }

  /** Damages a source block, or a parity block after them, as {@link SetManifest#hash} counts. */
  void damage(SetManifest manifest, int block) throws IOException {
    SetShape shape = manifest.shape();
    int sources = manifest.sourceBlocks();
    if (block < sources) {
      SourceBlocks blocks = new SourceBlocks(manifest.files(), shape.blockSize());
      int piece = manifest.layout().firstPiece(block);
      SetFile file = manifest.files().get(blocks.fileOf(piece));
      long at = blocks.offsetOf(piece);
      invert(base.resolve(file.path()), at, at + 1);
    } else {
      int row = (block - sources) / shape.generations();
      int generation = (block - sources) % shape.generations();
      int inVolume = row / shape.volumes() * shape.generations() + generation;
      Path volume = parity.resolve(ParityLayer.name(0, row % shape.volumes()));
      long at = Files.size(volume) - shape.parityBytes(row % shape.volumes());
      at += (long) inVolume * shape.blockSize();
      invert(volume, at, at + 1);
    }
  }

  /** Returns true if every file has its content, and there are no others. */
  boolean isAsWritten() throws IOException {
    Map<String, byte[]> found = files(base);
    found.keySet().removeIf(path -> path.startsWith("parity/"));
    return found.keySet().equals(contents.keySet())
        && found.entrySet().stream()
            .allMatch(file -> Arrays.equals(file.getValue(), contents.get(file.getKey())));
  }

  /** Returns the content of every file below a folder. */
  static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    List<Path> paths;
    try (Stream<Path> all = Files.walk(folder)) {
      paths = all.filter(Files::isRegularFile).toList();
    }
    for (Path path : paths) {
      files.put(folder.relativize(path).toString(), Files.readAllBytes(path));
    }
    return files;
  }
}
