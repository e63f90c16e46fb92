package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;

/**
 * The hashes of all generations of an object, checked against the root in its manifest.
 *
 * <p>Immutable and thread-safe.
 */
public final class GenerationHashes {

  private final ObjectManifest manifest;
  private final List<Sha256> hashes;

  /**
   * Checks the hashes.
   *
   * @param hashes one for each generation, in order
   * @throws MalformedDataException if their number or their root is not that of the manifest
   */
  public GenerationHashes(ObjectManifest manifest, List<Sha256> hashes)
      throws MalformedDataException {
    this.manifest = manifest;
    this.hashes = List.copyOf(hashes);
    if (this.hashes.size() != manifest.generations()) {
      throw new MalformedDataException(
          0, "%d hashes for %d generations".formatted(this.hashes.size(), manifest.generations()));
    }
    Sha256 root = new HashTree().object(this.hashes);
    if (!root.equals(manifest.root())) {
      throw new MalformedDataException(
          0, "the root of the hashes is %s, not %s".formatted(root, manifest.root()));
    }
  }

  /** Returns the manifest. */
  public ObjectManifest manifest() {
    return manifest;
  }

  /** Returns the hash of a generation. */
  public Sha256 of(int generation) {
    return hashes.get(generation);
  }

  /** Returns the hashes of all generations. */
  public List<Sha256> all() {
    return hashes;
  }
}
