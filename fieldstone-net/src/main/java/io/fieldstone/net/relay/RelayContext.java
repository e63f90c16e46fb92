package io.fieldstone.net.relay;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.ServerTrust;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.object.Conviction;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.Optional;

/**
 * Gives the parts of a relay access to each other. All methods but {@link #work} and {@link
 * #onLoop} are called on its loop.
 */
interface RelayContext {

  RelaySettings settings();

  /** The stall timeout: the connection to a source that sends no hashes for this long is closed. */
  long stallNanos();

  Engine engine();

  Carrier carrier();

  ServerTrust trust();

  /** The generations in memory. */
  GenerationCache memory();

  /** The generations on the disk. */
  DiskCache disk();

  List<Upstream> upstreams();

  /** Returns the bytes of the hashes of all objects. */
  long hashBytes();

  /** Returns the lines of this relay's catalogue for an object: one for each name. */
  List<CatalogueEntry> listed(Sha256 id);

  /** Returns the hops of an object from this relay; {@link Integer#MAX_VALUE} if it is unknown. */
  default int hopsOf(Sha256 id) {
    List<CatalogueEntry> listed = listed(id);
    return listed.isEmpty() ? Integer.MAX_VALUE : listed.getFirst().hops();
  }

  /** Returns true once the relay ends. */
  boolean isClosed();

  /** Draws the seed of coded blocks. */
  long nextSeed();

  /** Runs a task on a worker thread. */
  void work(Runnable task);

  /** Runs a task on the loop, after this one. */
  default void onLoop(Runnable task) {
    onLoop(task, 0);
  }

  /** Runs a task on the loop after a delay. */
  void onLoop(Runnable task, long delayNanos);

  /** A connection or catalogue has changed. */
  void upstreamChanged();

  /** An object has become complete. */
  void objectCompleted();

  /** An object can be sent no more. */
  void objectEnded();

  /** Nothing uses an object any more. */
  void released(RelayedObject object);

  /**
   * Bans an identity that sent wrong bytes.
   *
   * @param guilty the peer that had it, which may have another since
   */
  void convicted(
      Upstream guilty, Optional<Fingerprint> identity, Conviction conviction, Sha256 object);
}
