package io.fieldstone.net.session;

import io.fieldstone.rlnc.wire.Sha256;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** A shelf that opens one object, whatever the id. */
final class OneObjectShelf extends EmptyShelf {
  private final OpenObject object;

  OneObjectShelf(OpenObject object) {
    this.object = object;
  }

  @Override
  public CompletableFuture<OpenObject> open(Sha256 id, InetSocketAddress client) {
    return CompletableFuture.completedFuture(object);
  }
}
