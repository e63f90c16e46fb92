package io.fieldstone.net.session;

import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.wire.Sha256;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The objects that a server or relay offers to the clients of one loop. Called on this loop. */
public interface Shelf {

  /** Returns the role of this sender. */
  PeerRole role();

  /** Returns true if a client with this token may use the shelf. */
  boolean accepts(String token);

  /** Returns why nothing is known yet of what is offered; empty once it is. */
  default Optional<String> startProblem() {
    return Optional.empty();
  }

  /** Returns the catalogue. Any thread may call this. */
  List<CatalogueEntry> entries();

  /** Finds entries by a name, or by the first digits of the id. */
  List<CatalogueEntry> find(String query);

  /**
   * Opens an object for one client.
   *
   * @param client its address; a shelf with few places divides them among addresses
   * @return completes on the loop; fails with a {@link RefusedException} if the object is not there
   */
  CompletableFuture<OpenObject> open(Sha256 id, InetSocketAddress client);

  /** Returns what the dashboard shows of the objects that clients have, or had lately. */
  default List<Snapshot.Item> items() {
    return List.of();
  }
}
