package io.fieldstone.rlnc.backup;

import io.fieldstone.field.Gf256Matrix;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds, by their hashes, lost source blocks of a generation that are equal, or whose bytes all
 * have one value. A block of one value needs no parity; equal blocks need one parity block
 * together. With c the columns of the parity matrix, equal blocks i and j are one unknown with the
 * column c<sub>i</sub> + c<sub>j</sub>. Sums of columns of a Cauchy matrix may be dependent, so the
 * rank is computed. Thread-safe once the scan has ended.
 */
final class KnownBlocks {

  private static final int VALUES = 256;

  private final DamageScan scan;
  private final SetManifest manifest;
  private final SetShape shape;

  /** The values by the hashes of blocks of one value; empty until they are needed. */
  private final Map<Sha256, Byte> values = new HashMap<>();

  /**
   * The lost source blocks of a generation, by their rows.
   *
   * @param unknown the rows that need parity; those of equal blocks are a class
   * @param constant the values of blocks of one value
   */
  record Rows(List<List<Integer>> unknown, Map<Integer, Byte> constant) {}

  KnownBlocks(DamageScan scan, SetManifest manifest) {
    this.scan = scan;
    this.manifest = manifest;
    this.shape = manifest.shape();
  }

  /** Returns the lost source blocks of a generation. */
  Rows of(int generation) {
    Map<Integer, Byte> constant = new HashMap<>();
    Map<Sha256, List<Integer>> classes = new HashMap<>();
    List<List<Integer>> unknown = new ArrayList<>();
    for (int row = 0; row < shape.blocks(); row++) {
      int block = scan.sourceBlock(generation, row);
      if (block < 0 || !scan.isLostBlock(block)) {
        continue;
      }
      Sha256 hash = manifest.hash(block);
      Byte value = values().get(hash);
      if (value != null) {
        constant.put(row, value);
      } else {
        classes
            .computeIfAbsent(
                hash,
                _ -> {
                  List<Integer> rows = new ArrayList<>();
                  unknown.add(rows);
                  return rows;
                })
            .add(row);
      }
    }
    return new Rows(unknown, constant);
  }

  /**
   * Returns the intact parity blocks of a generation beyond those that are needed; negative if too
   * few. For generations that have lost more source blocks than parity is left.
   */
  int spare(int generation) {
    List<List<Integer>> unknown = of(generation).unknown();
    int intact = shape.parity() - scan.lostParity(generation);
    if (unknown.size() > intact || unknown.size() == scan.lostSources(generation)) {
      return intact - unknown.size();
    }
    int lacking = unknown.size() - rank(generation, unknown);
    return lacking > 0 ? -lacking : intact - unknown.size();
  }

  /** Returns the rank of the intact parity over the unknown blocks. */
  private int rank(int generation, List<List<Integer>> unknown) {
    GenerationShape coded = shape.generation(shape.blockSize());
    List<byte[]> vectors = new ArrayList<>();
    for (int row = 0; row < shape.parity(); row++) {
      if (!scan.isLost(scan.parityBlockOf(generation, row))) {
        byte[] vector = new byte[shape.blocks()];
        new CodingVector.Seeded(0, shape.blocks() + row)
            .expand(coded.code(), 0, MemorySegment.ofArray(vector));
        vectors.add(vector);
      }
    }
    return Gf256Matrix.generate(
            coded.field(),
            vectors.size(),
            unknown.size(),
            (row, column) -> sum(vectors.get(row), unknown.get(column)))
        .rank();
  }

  private static int sum(byte[] vector, List<Integer> rows) {
    int sum = 0;
    for (int row : rows) {
      sum ^= Byte.toUnsignedInt(vector[row]);
    }
    return sum;
  }

  private synchronized Map<Sha256, Byte> values() {
    if (values.isEmpty()) {
      HashTree tree = new HashTree();
      MemorySegment block = MemorySegment.ofArray(new byte[shape.blockSize()]);
      for (int value = 0; value < VALUES; value++) {
        block.fill((byte) value);
        values.put(tree.leaf(block), (byte) value);
      }
    }
    return values;
  }
}
