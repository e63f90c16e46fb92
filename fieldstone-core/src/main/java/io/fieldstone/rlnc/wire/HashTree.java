package io.fieldstone.rlnc.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
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
 * <p>For one thread at a time: it keeps a digest.
 */
public final class HashTree {

  private static final byte LEAF = 0;
  private static final byte GENERATION_NODE = 1;
  private static final byte OBJECT_NODE = 2;

  private final MessageDigest digest = ObjectDescriptor.newSha256();

  /**
   * Returns the hash of one source block.
   *
   * @param block k bytes
   */
  public Sha256 leaf(MemorySegment block) {
    digest.update(LEAF);
    digest.update(block.asByteBuffer());
    return Sha256.of(digest.digest());
  }

  /**
   * Returns the hash of a generation.
   *
   * @param source n·k bytes, the last block padded with zeros
   * @param blockSize k, which divides the bytes of {@code source}
   * @throws IllegalArgumentException if the source is empty or not a multiple of k bytes
   */
  public Sha256 generation(MemorySegment source, int blockSize) {
    long bytes = source.byteSize();
    if (bytes == 0 || bytes % blockSize != 0) {
      throw new IllegalArgumentException(
          "generation size %d is not a multiple of %d".formatted(bytes, blockSize));
    }
    Sha256[] leaves = new Sha256[Math.toIntExact(bytes / blockSize)];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = leaf(source.asSlice((long) i * blockSize, blockSize));
    }
    return root(GENERATION_NODE, Arrays.asList(leaves), 0, leaves.length);
  }

  /**
   * Returns the hash of a generation from the hashes of its source blocks.
   *
   * @param leaves the n leaves, at least one
   */
  public Sha256 generation(List<Sha256> leaves) {
    return root(GENERATION_NODE, leaves, 0, leaves.size());
  }

  /**
   * Returns the root of an object: the SHA-256 of nothing for an empty object.
   *
   * @param generations the hashes of all generations in order
   */
  public Sha256 object(List<Sha256> generations) {
    return generations.isEmpty()
        ? Sha256.hash(ByteBuffer.allocate(0))
        : root(OBJECT_NODE, generations, 0, generations.size());
  }

  /** Returns the root of the hashes {@code from} … {@code to − 1}. */
  private Sha256 root(byte prefix, List<Sha256> hashes, int from, int to) {
    int count = to - from;
    if (count == 0) {
      throw new IllegalArgumentException("a tree without leaves has no root");
    }
    if (count == 1) {
      return hashes.get(from);
    }
    int middle = from + Integer.highestOneBit(count - 1);
    Sha256 left = root(prefix, hashes, from, middle);
    Sha256 right = root(prefix, hashes, middle, to);
    digest.update(prefix);
    digest.update(left.bytes());
    digest.update(right.bytes());
    return Sha256.of(digest.digest());
  }
}
