package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.dashboard.Cells;
import io.fieldstone.net.dashboard.ReadPages;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the dashboards of a server, a relay and a fetch show, over QUIC on loopback. */
@Timeout(180)
class SnapshotTest {

  private static final int GENERATION = 64 * ServerSettings.DEFAULT_BLOCK_SIZE;
  private static final String NAME = "<b onclick='x'> & \u4e16.bin";

  @TempDir Path folder;
  @AutoClose private Loopback net;

  @BeforeEach
  void open() {
    net = new Loopback(folder);
  }

  /** A stream whose reader stops after the first bytes until it is let go. */
  private static final class HeldStream extends OutputStream {
    final CountDownLatch held = new CountDownLatch(1);
    long bytes;

    @Override
    public void write(int value) {
      write(new byte[1], 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      bytes += length;
      try {
        held.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void showsAnObjectOnItsWay() throws Exception {
    int length = 100 * GENERATION;
    Path file = net.write("files/" + NAME, length);
    Server server = net.serve("server", file);
    Relay relay = net.relay("relay", Loopback.at(server));
    FetchSettings settings =
        net.settings(NAME, List.of(Loopback.at(relay))).withWindowBytes(8L * GENERATION);
    Fetch fetch = net.fetch(settings, FetchListener.NONE);
    HeldStream output = new HeldStream();
    try (StatusPages pages = fetch.openPages(Loopback.at(0));
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      assertThat(ReadPages.event(pages.address(), "fetch")).contains("\"objects\":[]");
      Future<FetchResult> result = thread.submit(() -> fetch.toStream(output, "out"));
      Loopback.await(() -> hasItem(server.snapshot(), each -> each.cells().getFirst() == 100));
      Loopback.await(() -> hasItem(relay.snapshot(), each -> each.done() > 0));

      Snapshot sending = server.snapshot();
      Snapshot passing = relay.snapshot();
      String fetching = ReadPages.event(pages.address(), "\"objectCount\":1");
      String status = ReadPages.page(pages.address(), "/status");
      output.held.countDown();

      checkServer(sending, server);
      checkRelay(passing, relay, server);
      assertThat(fetching)
          .contains(
              "\"objectCount\":1,\"objects\":[{\"name\":\"\\u003cb onclick=\\u0027x\\u0027\\u003e",
              "{\"address\":\"%s\",\"role\":\"relay\",\"isSource\":true,\"state\":\"open\""
                  .formatted(KnownServers.name(relay.address())),
              "\"generations\":100,\"blocks\":64,\"users\":1,\"done\":")
          .doesNotContain("<", "onclick='");
      assertThat(status).contains("\"totalBytes\":" + length, "\"sources\":1}");
      assertThat(result.get().bytes()).isEqualTo(length);
      assertThat(output.bytes).isEqualTo(length);
    }
  }

  private static boolean hasItem(Snapshot snapshot, Predicate<Snapshot.Item> predicate) {
    return snapshot.objects().stream().anyMatch(predicate);
  }

  private static void checkServer(Snapshot shown, Server server) {
    assertThat(shown.self().role()).isEqualTo("server");
    assertThat(shown.self().fingerprint()).isEqualTo(server.fingerprint().toString());
    assertThat(shown.self().files()).isEqualTo(1);
    assertThat(shown.peerCount()).isEqualTo(1);
    Snapshot.Peer peer = shown.peers().getFirst();
    assertThat(peer.isSource()).isFalse();
    assertThat(peer.sentBytes()).isGreaterThan(GENERATION);
    assertThat(peer.lossShare().orElse(0.0)).isBetween(0.0, 1.0);
    assertThat(peer.bytesPerSecond().orElseThrow()).isPositive();
    Snapshot.Item item = shown.objects().getFirst();
    assertThat(item.name()).isEqualTo(NAME);
    assertThat(item.users()).isEqualTo(1);
    assertThat(item.cells()).hasSize(100).contains(100);
    assertThat(item.cells().getLast()).isZero();
    assertThat(shown.flow()).isEqualTo(Optional.empty());
  }

  private static void checkRelay(Snapshot shown, Relay relay, Server server) {
    assertThat(shown.self().address()).isEqualTo(KnownServers.name(relay.address()));
    assertThat(shown.peers()).extracting(Snapshot.Peer::isSource).containsExactly(true, false);
    Snapshot.Peer source = shown.peers().getFirst();
    assertThat(source.address()).isEqualTo(KnownServers.name(server.address()));
    assertThat(source.role()).isEqualTo("server");
    assertThat(source.receivedBytes()).isGreaterThan(GENERATION);
    assertThat(source.lossShare().orElseThrow()).isBetween(0.0, 1.0);
    assertThat(source.overheadShare().orElseThrow()).isBetween(0.0, 1.0);
    Snapshot.Item item = shown.objects().getFirst();
    assertThat(item.done()).isBetween(1, 99);
    assertThat(item.cells()).contains(100, 0);
  }

  /** Objects stay for a while after their clients have left; those of long ago are forgotten. */
  @Test
  void theNumberOfObjectsIsBounded() throws Exception {
    int files = Snapshot.MAX_OBJECTS + 4;
    for (int i = 0; i < files; i++) {
      net.write("files/" + i, i + 1);
    }
    Server server = net.serve("server", folder.resolve("files"));
    for (int i = 0; i < files; i++) {
      net.fetched(net.settings(String.valueOf(i), server), folder.resolve("files/" + i));
    }

    Snapshot shown = server.snapshot();

    assertThat(shown.objects()).hasSize(Snapshot.MAX_OBJECTS);
    assertThat(shown.objects().getFirst().name()).isEqualTo(String.valueOf(files - 1));
    assertThat(shown.objects()).allMatch(each -> each.cells().equals(List.of(100)));
    assertThat(shown.objects()).allMatch(each -> each.cells().size() <= Cells.MAX_CELLS);
  }
}
