package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.stream.IntStream;

/**
 * The hashes of all generations of an object, checked against the root in its manifest.
 *
 * <p>Immutable and thread-safe.
 */
public final class GenerationHashes {

  private final ObjectManifest manifest;

  /** The words of the hashes, 32 bytes each. */
  private final long[] words;

  /**
   * Checks the hashes.
   *
   * @param hashes one for each generation, in order
   * @throws MalformedDataException if their number or their root is not that of the manifest
   */
  public GenerationHashes(ObjectManifest manifest, List<Sha256> hashes)
      throws MalformedDataException {
    this.manifest = manifest;
    if (hashes.size() != manifest.generations()) {
      throw new MalformedDataException(
          0, "%d hashes for %d generations".formatted(hashes.size(), manifest.generations()));
    }
    this.words = new long[4 * hashes.size()];
    for (int i = 0; i < hashes.size(); i++) {
      Sha256 hash = hashes.get(i);
      words[4 * i] = hash.word0();
      words[4 * i + 1] = hash.word1();
      words[4 * i + 2] = hash.word2();
      words[4 * i + 3] = hash.word3();
    }
    Sha256 root = new HashTree().object(all());
    if (!root.equals(manifest.root())) {
      throw new MalformedDataException(
          0, "the root of the hashes is %s, not %s".formatted(root, manifest.root()));
    }
  }

  /**
   * Reads the hashes that {@link #toBytes} writes.
   *
   * @param bytes 32 bytes for each generation, in order
   * @throws MalformedDataException if their number or their root is not that of the manifest
   */
  public static GenerationHashes parse(ObjectManifest manifest, byte[] bytes)
      throws MalformedDataException {
    if (bytes.length != (long) manifest.generations() * Sha256.BYTES) {
      throw new MalformedDataException(
          0,
          "%d bytes of hashes for %d generations".formatted(bytes.length, manifest.generations()));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<Sha256> hashes =
        IntStream.range(0, manifest.generations()).mapToObj(_ -> Sha256.read(buffer)).toList();
    return new GenerationHashes(manifest, hashes);
  }

  /**
   * Returns the hashes, 32 bytes each, in the order of the generations.
   *
   * @throws ArithmeticException if there are more than 2^31 - 1 bytes
   */
  public byte[] toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(Math.multiplyExact(words.length, Long.BYTES));
    buffer.asLongBuffer().put(words);
    return buffer.array();
  }

  /** Returns the manifest. */
  public ObjectManifest manifest() {
    return manifest;
  }

  /** Returns the hash of a generation. */
  public Sha256 of(int generation) {
    int at = 4 * Objects.checkIndex(generation, words.length / 4);
    return new Sha256(words[at], words[at + 1], words[at + 2], words[at + 3]);
  }

  /** Returns a view of the hashes of all generations. */
  public List<Sha256> all() {
    return new View();
  }

  private final class View extends AbstractList<Sha256> implements RandomAccess {
    @Override
    public Sha256 get(int generation) {
      return of(generation);
    }

    @Override
    public int size() {
      return words.length / 4;
    }
  }
}
