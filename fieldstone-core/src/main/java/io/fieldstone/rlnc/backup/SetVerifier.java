package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks every block of a set, in the files and in the volumes, by its hash. Writes nothing.
 *
 * <p>Blocks are searched at their place only: a file with inserted bytes has lost all blocks behind
 * them. A block that cannot be read is lost. Immutable and thread-safe.
 */
public final class SetVerifier {

  private final int threads;

  /**
   * Creates a verifier.
   *
   * @param threads the number of threads, ≥ 1; each has a buffer of 1 MiB
   */
  public SetVerifier(int threads) {
    this.threads = threads;
  }

  /**
   * Returns the description of a set.
   *
   * @param folder the folder of the volumes
   * @throws UnreadableSetException if the volumes have no complete manifest
   * @throws IOException if the folder cannot be read
   */
  public static SetManifest manifest(Path folder) throws IOException {
    return ParityFolder.open(folder).manifest();
  }

  /**
   * Verifies a set.
   *
   * @param folder the folder of the volumes
   * @param base the folder that the paths of the set start from
   * @throws UnreadableSetException if the volumes have no complete manifest
   * @throws IOException if the folder cannot be read
   */
  public SetReport verify(Path folder, Path base, ProgressListener listener)
      throws IOException, InterruptedException {
    return DamageScan.of(ParityFolder.open(folder), base, threads, listener).report();
  }
}
