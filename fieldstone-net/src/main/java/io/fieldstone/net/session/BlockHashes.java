package io.fieldstone.net.session;

import io.fieldstone.rlnc.object.GenerationSource;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Hashes the source blocks of generations. */
public final class BlockHashes {

  private BlockHashes() {}

  /**
   * Reads a generation and hashes its source blocks.
   *
   * @return n hashes
   * @throws IOException if it cannot be read
   */
  public static List<Sha256> read(GenerationSource source, ObjectManifest manifest, int generation)
      throws IOException {
    int k = manifest.shape().blockSize();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(manifest.shapeOf(generation).bytes());
      source.read(generation, bytes);
      return new HashTree().leaves(bytes, k);
    }
  }
}
