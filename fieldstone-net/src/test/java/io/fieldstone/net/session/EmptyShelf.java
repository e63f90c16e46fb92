package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A shelf of an origin that offers nothing to anybody; tests override what they need. */
public class EmptyShelf implements Shelf {
  /** Serves this shelf on a free port of the loopback interface; returns its address. */
  InetSocketAddress listen(Carrier server) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return server.listen(any, _ -> session()).localAddress();
  }

  private ServerSession session() {
    return new ServerSession(
        this,
        new SenderPacing(Long.MAX_VALUE, false, 1200),
        Long.MAX_VALUE,
        new SessionCounters(),
        new ClientWarnings(),
        new AnswerBudget(1 << 20),
        () -> {});
  }

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
  public CompletableFuture<OpenObject> open(Sha256 id, InetSocketAddress client) {
    return CompletableFuture.failedFuture(RefusedException.unknown(id));
  }
}
