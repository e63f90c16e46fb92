package io.fieldstone.net.fetch;

import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * The end of a fetch that succeeded.
 *
 * @param name the name of the object, or the id if it was asked for by that
 * @param id the identity of the object
 * @param manifest its description
 * @param bytes the bytes of the file, decrypted if the object is encrypted
 * @param publisher the publisher who has signed its name and id, if publishers were given
 * @param resumedBytes the bytes of the file that an earlier attempt had fetched
 * @param zeroBytes the bytes that are zeros by their hashes, so that no server sent them
 * @param wasThere true if the file was there before, equal, so that nothing was fetched
 * @param nanos the time that it took
 * @param blocksNeeded the source blocks that were missing at the start
 * @param blocksReceived the blocks that arrived
 * @param sources a line for each server, in the order of the settings
 */
public record FetchResult(
    String name,
    Sha256 id,
    ObjectManifest manifest,
    long bytes,
    Optional<PublisherKey> publisher,
    long resumedBytes,
    long zeroBytes,
    boolean wasThere,
    long nanos,
    long blocksNeeded,
    long blocksReceived,
    List<Source> sources) {

  /**
   * The share of one server in a fetch.
   *
   * @param server its address, as in the settings
   * @param fingerprint its fingerprint, if there was a connection
   * @param blocks the innovative blocks that it sent
   * @param redundant the blocks that were of no use
   * @param problem why it was dropped, or its last problem; empty if there was none
   * @param isBanned true if it sent wrong bytes
   * @param isReported true if a warning of the log has named the problem
   */
  public record Source(
      String server,
      Optional<Fingerprint> fingerprint,
      long blocks,
      long redundant,
      String problem,
      boolean isBanned,
      boolean isReported) {}

  /** Copies the sources. */
  public FetchResult {
    sources = List.copyOf(sources);
  }

  /** Returns the bytes of the file that servers sent. */
  public long fetchedBytes() {
    return bytes - resumedBytes - zeroBytes;
  }

  /** Returns the blocks that arrived beyond those needed, as a fraction of these. */
  public double overhead() {
    return blocksNeeded == 0 ? 0 : (double) (blocksReceived - blocksNeeded) / blocksNeeded;
  }
}
