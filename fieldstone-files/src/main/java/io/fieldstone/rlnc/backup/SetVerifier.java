package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks every block of a set, in the files and in the volumes, by its hash. Writes nothing.
 *
 * <p>Blocks that are not at their places are searched in the bytes of the files that belong to no
 * block: inserted and removed bytes cost the blocks at which they are, and no others. A block that
 * cannot be read is lost.
 *
 * <p>The description of the set is read once, when the verifier is opened. Immutable and
 * thread-safe.
 */
public final class SetVerifier {

  private final ParityFolder parity;
  private final int threads;

  private SetVerifier(ParityFolder parity, int threads) {
    this.parity = parity;
    this.threads = threads;
  }

  /**
   * Opens a set.
   *
   * @param folder the folder of the volumes
   * @param threads the number of threads, ≥ 1; each has a buffer of 1 to 2 MiB, or of a block
   * @throws UnreadableSetException if the volumes have no complete manifest
   * @throws IOException if the folder cannot be read
   */
  public static SetVerifier open(Path folder, int threads) throws IOException {
    return new SetVerifier(ParityFolder.open(folder), threads);
  }

  /** Returns the manifest of the newest layer, whose id is that of the set. */
  public SetManifest manifest() {
    return parity.newest();
  }

  /** Returns the layers of the set and their files, without reading these. */
  public SetListing list() {
    return SetListing.of(parity);
  }

  /**
   * Verifies the volumes alone: every parity block and every page, without the files.
   *
   * @throws IOException if attributes of a volume cannot be read
   * @throws InterruptedException if the calling thread is interrupted
   */
  public SetReport verifyParity(ProgressListener listener)
      throws IOException, InterruptedException {
    return verify(Optional.empty(), listener);
  }

  /**
   * Verifies the set.
   *
   * @param base the folder that the paths of the set start from
   * @throws IOException if attributes of a file cannot be read
   * @throws InterruptedException if the calling thread is interrupted
   */
  public SetReport verify(Path base, ProgressListener listener)
      throws IOException, InterruptedException {
    return verify(SetPlaces.of(base), listener);
  }

  /**
   * Verifies the set.
   *
   * @throws NoFilesException if no file is found, and that is taken for a wrong base
   * @throws IOException if attributes of a file cannot be read
   * @throws InterruptedException if the calling thread is interrupted
   */
  public SetReport verify(SetPlaces places, ProgressListener listener)
      throws IOException, InterruptedException {
    return verify(Optional.of(places), listener);
  }

  private SetReport verify(Optional<SetPlaces> places, ProgressListener listener)
      throws IOException, InterruptedException {
    LayerScans scans = new LayerScans(parity, places, threads, listener);
    return scans.report(Interruptions.report(scans::all));
  }
}
