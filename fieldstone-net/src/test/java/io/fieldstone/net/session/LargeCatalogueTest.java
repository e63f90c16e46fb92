package io.fieldstone.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.QuietHandler;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.fetch.Loopback;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A catalogue of more bytes than may wait for a client, over QUIC on loopback. */
@Timeout(180)
class LargeCatalogueTest {

  private static final List<CatalogueEntry> ENTRIES =
      IntStream.range(0, 30_000)
          .mapToObj(i ->
              new CatalogueEntry(
                  "d/".repeat(50) + "%0200d".formatted(i), i, new Sha256(i, 0, 0, 0)))
          .toList();

  @Test
  void allPagesArrive() throws Exception {
    Lister lister = new Lister();
    try (QuicCarrier server = QuicCarrier.open(Loopback.PATIENT, Identity.create(Instant.now()));
        QuicCarrier client = QuicCarrier.openClient(Loopback.PATIENT)) {
      InetSocketAddress address = new FilledShelf().listen(server);
      client.connect(address, _ -> true, lister).get();
      assertThat(lister.all.get(60, TimeUnit.SECONDS)).isEqualTo(ENTRIES);
    }
  }

  /** A client that asks for the catalogue. */
  private static final class Lister extends QuietHandler {
    final CompletableFuture<List<CatalogueEntry>> all = new CompletableFuture<>();
    private final List<CatalogueEntry> entries = new ArrayList<>();

    @Override
    public void opened(Connection connection) {
      connection.sendControl(
          MessageCodec.write(new Message.Hello(Message.VERSION, PeerRole.RECEIVER, "")));
      connection.sendControl(MessageCodec.write(new Message.ListRequest()));
    }

    @Override
    public void control(MemorySegment bytes) {
      try {
        if (MessageCodec.parse(bytes) instanceof Message.CataloguePage page) {
          assertThat(page.isFirst()).isEqualTo(entries.isEmpty());
          entries.addAll(page.entries());
          if (page.isLast()) {
            all.complete(entries);
          }
        }
      } catch (MalformedMessageException e) {
        all.completeExceptionally(e);
      }
    }

    @Override
    public void closed(CloseReason reason) {
      all.completeExceptionally(new AssertionError(reason));
    }
  }

  private static final class FilledShelf extends EmptyShelf {
    @Override
    public List<CatalogueEntry> entries() {
      return ENTRIES;
    }
  }
}
