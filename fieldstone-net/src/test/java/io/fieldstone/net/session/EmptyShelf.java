package io.fieldstone.net.session;

import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A shelf of an origin that offers nothing to anybody; tests override what they need. */
public class EmptyShelf implements Shelf {
  @Override
  public PeerRole role() {
    return PeerRole.ORIGIN;
  }

  @Override
  public boolean accepts(String token) {
    return true;
  }

  @Override
  public List<CatalogueEntry> entries() {
    return List.of();
  }

  @Override
  public List<CatalogueEntry> find(String query) {
    return List.of();
  }

  @Override
  public CompletableFuture<OpenObject> open(Sha256 id) {
    return CompletableFuture.failedFuture(RefusedException.unknown(id));
  }
}
