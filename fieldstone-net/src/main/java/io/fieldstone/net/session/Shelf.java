package io.fieldstone.net.session;

import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;

/** What a server or relay offers to its clients. Called on the loop of its listener. */
public interface Shelf {

  /** Returns what this sender does. */
  PeerRole role();

  /** Returns true if a client with this token may use the shelf. */
  boolean accepts(String token);

  /** Returns the catalogue. */
  List<CatalogueEntry> entries();

  /** Finds entries by a name, or by the first digits of the id. */
  List<CatalogueEntry> find(String query);

  /**
   * Opens an object for one client.
   *
   * @throws RefusedException if it is not there
   */
  OpenObject open(Sha256 id) throws RefusedException;
}
