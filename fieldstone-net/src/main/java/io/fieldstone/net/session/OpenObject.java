package io.fieldstone.net.session;

import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An object that a {@link Shelf} has opened for one client, who may ask for every generation: a
 * relay fetches those that it does not have. Used on the loop of the listener.
 */
public interface OpenObject extends AutoCloseable {

  /** Returns the description of the object. */
  ObjectManifest manifest();

  /** Returns the hashes of all generations. */
  List<Sha256> hashes();

  /**
   * Reads the hashes of the source blocks of a generation, on another thread if they are not known.
   *
   * @return completes on the loop; fails with an {@link IOException} if the generation cannot be
   *     read
   */
  CompletableFuture<List<Sha256>> leaves(int generation);

  /** Creates the sender of the object, once. The session closes it before this object. */
  ObjectSender sender(int alias);

  /**
   * Checks that the object can still be sent. By default it can.
   *
   * @throws RefusedException if it has ended
   */
  default void requireAvailable() throws RefusedException {}

  /**
   * Decides what follows after a generation could not be read.
   *
   * @return true if the generation will be read or fetched again, so that the object goes on
   */
  default boolean recovers(IOException failure) {
    return false;
  }

  /** Takes note that a report of the client has arrived, which the sender has taken. */
  default void reported() {}

  /** Takes note that a packet of a generation was sent to the client. */
  default void sent(int generation) {}

  /** Takes note that a receiver found a generation with blocks of this sender to be polluted. */
  default void polluted(int generation) {}

  @Override
  void close();
}
