package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchDecoder;
import io.fieldstone.rlnc.BatchEncoder;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.SetLayout;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Restores generations one by one: source blocks by decoding, parity blocks by encoding. */
final class Restoration implements Closeable {

  private final Engine engine;
  private final DamageScan scan;
  private final SetManifest manifest;
  private final SetShape shape;
  private final RepairTargets targets;
  private final SourceReader reader;
  private final KeptFile moved = new KeptFile(OpenFile::read);
  private final KeptFile written = new KeptFile(OpenFile::update);
  private final HashTree tree = new HashTree();
  private final MemorySegment block;
  private final ByteMatrices sources;
  private final ByteMatrices parity;
  private final BatchDecoder decoder;
  private final BatchEncoder encoder;
  private int generation;
  private int[] copies = {};

  /**
   * Allocates the memory of a generation.
   *
   * @throws IOException if there is not enough memory
   */
  Restoration(Engine engine, DamageScan scan, RepairTargets targets, NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.scan = scan;
    this.manifest = scan.folder().manifest();
    this.shape = manifest.shape();
    this.targets = targets;
    int k = shape.blockSize();
    List<Path> paths = IntStream.range(0, manifest.files().size()).mapToObj(scan::pathOf).toList();
    this.reader = new SourceReader(scan.blocks(), paths, k);
    this.block = memory.allocate(k);
    this.sources = ByteMatrices.of(memory.allocate((long) shape.blocks() * k), shape.blocks(), k);
    this.parity = ByteMatrices.of(memory.allocate((long) shape.parity() * k), shape.parity(), k);
    GenerationShape coded = shape.generation(k);
    this.decoder = NativeMemory.reserve(() -> new BatchDecoder(engine, coded, sources));
    this.encoder = new BatchEncoder(engine, coded, 0);
  }

  /** Takes a generation that can be restored. */
  void take(int newGeneration) {
    generation = newGeneration;
  }

  /**
   * Restores the lost blocks of the generation.
   *
   * @return the bytes written
   */
  long restore() throws IOException {
    decoder.reset(0, 1);
    List<Integer> lost = addSources();
    if (scan.isShort(generation)) {
      addKnown(scan.known().of(generation));
      addParity(shape.parity());
    } else {
      addParity(lost.size());
    }
    int rank = NativeMemory.reserve(() -> engine.onCallingThread(() -> decoder.decode()[0]));
    if (rank < shape.blocks()) {
      throw new IOException(
          "generation %d has rank %d of %d".formatted(generation, rank, shape.blocks()));
    }
    for (int row : lost) {
      int number = scan.sourceBlock(generation, row);
      requireHash(sources.row(0, row), number);
      int at = 0;
      SetLayout layout = manifest.layout();
      for (int piece = layout.firstPiece(number); piece < layout.firstPiece(number + 1); piece++) {
        if (scan.isLost(piece)) {
          targets.writeSource(piece, sources.row(0, row).asSlice(at), written);
        }
        at += scan.blocks().bytesOf(piece);
      }
    }
    return (long) (lost.size() + restoreParity()) * shape.blockSize();
  }

  /** Adds the intact source blocks; returns the rows of the lost ones. */
  private List<Integer> addSources() throws IOException {
    List<Integer> lost = new ArrayList<>();
    for (int row = 0; row < shape.blocks(); row++) {
      int number = scan.sourceBlock(generation, row);
      if (number >= 0 && scan.isLostBlock(number)) {
        lost.add(row);
        continue;
      }
      readSource(number);
      decoder.add(new CodedBlock(0, new CodingVector.Source(row), block));
    }
    return lost;
  }

  /** Adds the lost blocks of one value, and that others are equal. */
  private void addKnown(KnownBlocks.Rows known) {
    known
        .constant()
        .forEach((row, value) -> {
          block.fill(value);
          decoder.add(new CodedBlock(0, new CodingVector.Source(row), block));
        });
    block.fill((byte) 0);
    for (List<Integer> equal : known.unknown()) {
      for (int row : equal.subList(1, equal.size())) {
        byte[] difference = new byte[shape.blocks()];
        difference[equal.getFirst()] = 1;
        difference[row] = 1;
        CodingVector vector = new CodingVector.Explicit(MemorySegment.ofArray(difference));
        decoder.add(new CodedBlock(0, vector, block));
      }
    }
  }

  /** Reads an intact source block from the place where it lies; −1 is a block of zeros. */
  private void readSource(int number) throws IOException {
    if (number < 0) {
      block.fill((byte) 0);
      return;
    }
    SetLayout layout = manifest.layout();
    int at = 0;
    for (int piece = layout.firstPiece(number); piece < layout.firstPiece(number + 1); piece++) {
      int length = scan.blocks().bytesOf(piece);
      readPiece(piece, block.asSlice(at, length));
      at += length;
    }
    block.asSlice(at).fill((byte) 0);
  }

  /** Reads an intact piece from the place where it lies. */
  private void readPiece(int piece, MemorySegment target) throws IOException {
    if (scan.moved().has(piece)) {
      // If the file ends before, the piece ends with zeros.
      target.fill((byte) 0);
      moved.of(scan.pathOf(scan.moved().fileOf(piece))).read(target, scan.moved().offsetOf(piece));
    } else {
      reader.readPiece(piece, target);
    }
  }

  /** Takes intact pieces of files that are made again. */
  void take(int[] newCopies) {
    copies = newCopies;
  }

  /**
   * Copies the pieces.
   *
   * @return the bytes written
   */
  long copy() throws IOException {
    for (int number : copies) {
      int length = scan.blocks().bytesOf(number);
      readPiece(number, block.asSlice(0, length));
      block.asSlice(length).fill((byte) 0);
      requireHash(manifest.isPiece(number, tree.leaf(block)), number);
      targets.writeSource(number, block, written);
    }
    return (long) copies.length * shape.blockSize();
  }

  /** Adds a number of intact parity blocks. */
  private void addParity(int count) throws IOException {
    int added = 0;
    for (int row = 0; row < shape.parity() && added < count; row++) {
      if (!scan.isLost(scan.parityBlockOf(generation, row))) {
        targets.readParity(generation, row, block);
        CodingVector vector = new CodingVector.Seeded(0, shape.blocks() + row);
        decoder.add(new CodedBlock(0, vector, block));
        added++;
      }
    }
  }

  /** Computes the lost parity blocks from the source blocks; returns their number. */
  private int restoreParity() throws IOException {
    int lost = scan.lostParity(generation);
    if (lost == 0) {
      return 0;
    }
    engine.onCallingThread(() -> {
      encoder.encode(0, sources, shape.blocks(), parity);
      return lost;
    });
    for (int row = 0; row < shape.parity(); row++) {
      int number = scan.parityBlockOf(generation, row);
      if (scan.isLost(number)) {
        requireHash(parity.row(0, row), scan.hashOf(number));
        targets.writeParity(generation, row, parity.row(0, row));
      }
    }
    return lost;
  }

  private void requireHash(MemorySegment restored, int number) throws IOException {
    requireHash(tree.leaf(restored).equals(manifest.hash(number)), number);
  }

  private static void requireHash(boolean hasHash, int number) throws IOException {
    if (!hasHash) {
      throw new IOException(
          "block %d does not have its hash: a file was changed meanwhile".formatted(number));
    }
  }

  @Override
  public void close() throws IOException {
    decoder.close();
    encoder.close();
    try {
      written.close();
    } finally {
      try {
        moved.close();
      } finally {
        reader.close();
      }
    }
  }
}
