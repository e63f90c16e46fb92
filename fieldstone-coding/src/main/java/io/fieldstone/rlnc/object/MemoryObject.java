package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An object in memory, or in a mapped file, with its manifest and its hashes.
 *
 * {@snippet :
 * MemoryObject object = MemoryObject.of(shape, MemorySegment.ofArray(bytes));
 * SourceObject source = cache.open(object.manifest(), seed, object);
 * }
 *
 * <p>Thread-safe. The bytes must not change.
 */
public final class MemoryObject implements GenerationSource {

  private final MemorySegment content;
  private final GenerationHashes hashes;

  private MemoryObject(MemorySegment content, GenerationHashes hashes) {
    this.content = content;
    this.hashes = hashes;
  }

  /**
   * Hashes an object.
   *
   * @param shape n, k, field and code
   * @param content the bytes of the object; not copied
   * @throws IllegalArgumentException if they are more than {@link ObjectManifest#MAX_GENERATIONS}
   *     generations
   */
  public static MemoryObject of(GenerationShape shape, MemorySegment content) {
    HashTree tree = new HashTree();
    Sha256 unknown = new Sha256(0, 0, 0, 0);
    ObjectManifest unrooted =
        new ObjectManifest(shape, content.byteSize(), Optional.empty(), unknown);
    List<Sha256> generations = new ArrayList<>();
    for (int g = 0; g < unrooted.generations(); g++) {
      MemorySegment source = MemorySegment.ofArray(new byte[(int) unrooted.shapeOf(g).bytes()]);
      copy(content, unrooted, g, source);
      generations.add(tree.generation(source, shape.blockSize()));
    }
    ObjectManifest manifest =
        new ObjectManifest(shape, content.byteSize(), Optional.empty(), tree.object(generations));
    try {
      return new MemoryObject(content, new GenerationHashes(manifest, generations));
    } catch (MalformedDataException e) {
      throw new AssertionError(e); // the root is that of these hashes
    }
  }

  private static void copy(
      MemorySegment content, ObjectManifest manifest, int generation, MemorySegment destination) {
    long bytes = manifest.bytesOf(generation);
    long from = generation * manifest.shape().bytes();
    MemorySegment.copy(content, from, destination, 0, bytes);
    destination.asSlice(bytes).fill((byte) 0);
  }

  /** Returns the manifest. */
  public ObjectManifest manifest() {
    return hashes.manifest();
  }

  /** Returns the hashes of the generations, which a receiver needs. */
  public GenerationHashes hashes() {
    return hashes;
  }

  @Override
  public void read(int generation, MemorySegment destination) {
    copy(content, manifest(), generation, destination);
  }
}
