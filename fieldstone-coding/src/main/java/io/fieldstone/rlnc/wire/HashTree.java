package io.fieldstone.rlnc.wire;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.hashes.Hashing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/**
 * Computes the SHA-256 tree of an object (docs/format.md, "Hash tree"). A leaf is the hash of one
 * source block of k bytes, padded as it is coded. The leaves of a generation form a tree; its root
 * is the hash of the generation. The hashes of all generations form a tree; its root identifies the
 * content. Both trees split as RFC 9162, Sec. 2.1.1: the left part has the largest power of two
 * leaves that is less than their number.
 *
 * <p>Leaves, nodes of generations and nodes of the object have different prefixes, so that none can
 * stand for another.
 *
 * <p>For one thread at a time: it keeps memory.
 */
public final class HashTree {

  private static final byte LEAF = 0;
  private static final byte GENERATION_NODE = 1;
  private static final byte OBJECT_NODE = 2;

  /** The maximum number of hashes that are joined in memory: 128 KiB. */
  private static final int MAX_JOINED = 1 << 12;

  private final Hashing hashing;

  /** The hashes that are being joined. */
  private MemorySegment scratch = MemorySegment.NULL;

  /** Creates a tree that the fastest implementation hashes. */
  public HashTree() {
    this(Engine.hashing());
  }

  /** Creates a tree that an implementation hashes. */
  HashTree(Hashing hashing) {
    this.hashing = hashing;
  }

  /**
   * Returns the hash of one source block.
   *
   * @param block k bytes
   */
  public Sha256 leaf(MemorySegment block) {
    return leaves(block, 1, block.byteSize()).getFirst();
  }

  /**
   * Returns the hashes of adjacent source blocks.
   *
   * @param blocks blocks of k bytes
   * @param blockSize k
   * @throws IllegalArgumentException if there is no block, or the size is not a multiple of k bytes
   */
  public List<Sha256> leaves(MemorySegment blocks, int blockSize) {
    return leaves(blocks, blocksIn(blocks, blockSize), blockSize);
  }

  private List<Sha256> leaves(MemorySegment blocks, int count, long bytes) {
    return leaves(blocks, bytes, count, bytes);
  }

  /**
   * Returns the hashes of source blocks at equal distances.
   *
   * @param blocks begins with the first block
   * @param pitch the distance between the starts of blocks
   * @param bytes k
   */
  public List<Sha256> leaves(MemorySegment blocks, long pitch, int count, long bytes) {
    MemorySegment hashes = scratch(count);
    hashing.sha256(LEAF, blocks, pitch, count, bytes, hashes);
    ByteBuffer stored = hashes.asByteBuffer();
    Sha256[] leaves = new Sha256[count];
    for (int i = 0; i < count; i++) {
      leaves[i] = Sha256.read(stored);
    }
    return Arrays.asList(leaves);
  }

  /**
   * Returns the hash of a generation.
   *
   * @param source n·k bytes, the last block padded with zeros
   * @param blockSize k, which divides the bytes of {@code source}
   * @throws IllegalArgumentException if the source is empty or not a multiple of k bytes
   */
  public Sha256 generation(MemorySegment source, int blockSize) {
    return generations(source, blocksIn(source, blockSize), blockSize).getFirst();
  }

  /**
   * Returns the hashes of adjacent generations.
   *
   * @param source their blocks of k bytes
   * @param blocks n, the blocks of each generation; the last may have fewer
   * @param blockSize k, which divides the bytes of {@code source}
   * @throws IllegalArgumentException if the source is empty or not a multiple of k bytes
   */
  public List<Sha256> generations(MemorySegment source, int blocks, int blockSize) {
    int leaves = blocksIn(source, blockSize);
    MemorySegment hashes = scratch(leaves);
    hashing.sha256(LEAF, source, blockSize, leaves, blockSize, hashes);
    int full = leaves / blocks;
    List<Sha256> generations = new ArrayList<>();
    MemorySegment tail = hashes.asSlice((long) full * blocks * Sha256.BYTES);
    join(GENERATION_NODE, hashes, full, blocks);
    for (int g = 0; g < full; g++) {
      generations.add(hash(hashes, g));
    }
    if (leaves % blocks > 0) {
      join(GENERATION_NODE, tail, 1, leaves % blocks);
      generations.add(hash(tail, 0));
    }
    return generations;
  }

  /**
   * Returns the hash of a generation from the hashes of its source blocks.
   *
   * @param leaves the n leaves, at least one
   */
  public Sha256 generation(List<Sha256> leaves) {
    return root(GENERATION_NODE, leaves);
  }

  /**
   * Returns the root of an object: the SHA-256 of nothing for an empty object.
   *
   * @param generations the hashes of all generations in order
   */
  public Sha256 object(List<Sha256> generations) {
    return generations.isEmpty()
        ? Sha256.hash(ByteBuffer.allocate(0))
        : root(OBJECT_NODE, generations);
  }

  /**
   * Returns the generations of an object that are zeros, which their hashes show.
   *
   * @param manifest that of an object that is not encrypted, or whose ciphertext is asked about
   * @param hashes one for each generation
   * @throws IllegalArgumentException if the number of hashes is another
   */
  public BitSet zeros(ObjectManifest manifest, List<Sha256> hashes) {
    int generations = manifest.generations();
    if (hashes.size() != generations) {
      throw new IllegalArgumentException(
          "%d hashes for %d generations".formatted(hashes.size(), generations));
    }
    BitSet zeros = new BitSet(generations);
    if (generations == 0) {
      return zeros;
    }
    Sha256 leaf = leaf(MemorySegment.ofArray(new byte[manifest.shape().blockSize()]));
    Sha256 full = generation(Collections.nCopies(manifest.shapeOf(0).blocks(), leaf));
    for (int g = 0; g < generations - 1; g++) {
      zeros.set(g, hashes.get(g).equals(full));
    }
    int last = generations - 1;
    int blocks = manifest.shapeOf(last).blocks();
    zeros.set(last, hashes.get(last).equals(generation(Collections.nCopies(blocks, leaf))));
    return zeros;
  }

  private static int blocksIn(MemorySegment source, int blockSize) {
    long bytes = source.byteSize();
    if (bytes == 0 || bytes % blockSize != 0) {
      throw new IllegalArgumentException(
          "generation size %d is not a multiple of %d".formatted(bytes, blockSize));
    }
    return Math.toIntExact(bytes / blockSize);
  }

  /** Returns memory for a number of hashes. */
  private MemorySegment scratch(int hashes) {
    long bytes = (long) hashes * Sha256.BYTES;
    if (scratch.byteSize() < bytes) {
      scratch = Arena.ofAuto().allocate(bytes, Long.BYTES);
    }
    return scratch.asSlice(0, bytes);
  }

  private static Sha256 hash(MemorySegment hashes, long index) {
    return Sha256.read(hashes.asSlice(index * Sha256.BYTES, Sha256.BYTES).asByteBuffer());
  }

  /** Returns the root of a list of hashes. */
  private Sha256 root(byte prefix, List<Sha256> hashes) {
    int count = hashes.size();
    if (count == 0) {
      throw new IllegalArgumentException("a tree without leaves has no root");
    }
    if (count > MAX_JOINED) {
      int middle = Integer.highestOneBit(count - 1);
      return root(
          prefix,
          List.of(
              root(prefix, hashes.subList(0, middle)),
              root(prefix, hashes.subList(middle, count))));
    }
    MemorySegment joined = scratch(count);
    ByteBuffer bytes = joined.asByteBuffer();
    hashes.forEach(hash -> hash.writeTo(bytes));
    join(prefix, joined, 1, count);
    return hash(joined, 0);
  }

  /**
   * Joins the hashes of trees, which lie one after the other, to their roots. Joining neighbours,
   * level by level, and keeping the last hash of an odd number makes the same tree as splitting at
   * the largest power of two.
   *
   * @param hashes {@code trees · leaves} hashes; the first {@code trees} become the roots
   */
  private void join(byte prefix, MemorySegment hashes, int trees, int leaves) {
    for (int count = leaves, next; count > 1; count = next) {
      next = Math.ceilDiv(count, 2);
      if (next == count / 2) {
        joinPairs(prefix, hashes, trees * next, hashes);
      } else {
        for (int tree = 0; tree < trees; tree++) {
          MemorySegment from = hashes.asSlice((long) tree * count * Sha256.BYTES);
          MemorySegment to = hashes.asSlice((long) tree * next * Sha256.BYTES);
          joinPairs(prefix, from, next - 1, to);
          MemorySegment.copy(
              from, (count - 1L) * Sha256.BYTES, to, (next - 1L) * Sha256.BYTES, Sha256.BYTES);
        }
      }
    }
  }

  private void joinPairs(byte prefix, MemorySegment from, int pairs, MemorySegment to) {
    hashing.sha256(prefix, from, 2L * Sha256.BYTES, pairs, 2L * Sha256.BYTES, to);
  }
}
