package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Fingerprint;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers of which nothing arrives, over a carrier without a network or a clock. */
@Timeout(60)
class ServerLinksTest {

  @TempDir private Path folder;
  private final DeadCarrier carrier = new DeadCarrier();
  private final TransferState state = new TransferState();

  /** A carrier that reaches nobody: attempts neither succeed nor fail. */
  private static final class DeadCarrier implements Carrier {
    final BlockingQueue<List<InetSocketAddress>> attempts = new LinkedBlockingQueue<>();
    final Queue<Runnable> timers = new ConcurrentLinkedQueue<>();
    final Queue<Long> delays = new ConcurrentLinkedQueue<>();

    @Override
    public Listener listen(
        InetSocketAddress address, Function<Connection, ConnectionHandler> accept) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Listener listenForBrowsers(
        InetSocketAddress address,
        BrowserCertificates certificates,
        Function<Connection, ConnectionHandler> accept) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Connection> connect(
        List<InetSocketAddress> remotes,
        Predicate<Fingerprint> trusted,
        ConnectionHandler handler) {
      attempts.add(remotes);
      return new CompletableFuture<>();
    }

    @Override
    public List<Loop> loops() {
      return List.of((task, delayNanos) -> {
        timers.add(task);
        delays.add(delayNanos);
        return () -> timers.remove(task);
      });
    }

    @Override
    public void close() {}
  }

  private static final class Silent implements ServerLinks.Listener {
    @Override
    public Message first(ServerLink link) {
      return new Message.ListRequest();
    }

    @Override
    public void accepted(ServerLink link) {}

    @Override
    public void message(ServerLink link, Message message) {}

    @Override
    public void packet(ServerLink link, MemorySegment packet) {}

    @Override
    public void lost(ServerLink link) {}
  }

  private ServerLinks links() {
    FetchSettings settings =
        FetchSettings.of("a.bin", List.of(Loopback.at(1)), folder.resolve("state"));
    return new ServerLinks(carrier, settings, new Peers(settings, false), state, new Silent());
  }

  private void renew(ServerLinks links, ServerLink link) {
    synchronized (state) {
      links.renew(link, () -> true);
    }
  }

  private boolean isTried() throws InterruptedException {
    return carrier.attempts.poll(60, TimeUnit.SECONDS) != null;
  }

  /** Attempts take longer to fail than until the next ones begin, at any time of an outage. */
  @Test
  void attemptsGoOnWhileNothingArrives() throws Exception {
    ServerLinks links = links();
    ServerLink link = links.all().getFirst();
    link.wasAccepted = true;
    link.state = ServerLink.State.OPEN;
    renew(links, link);
    assertThat(isTried()).isTrue();
    for (ServerLink.State next : List.of(ServerLink.State.WAITING, ServerLink.State.CONNECTING)) {
      link.state = next; // the connection was given up meanwhile
      carrier.timers.remove().run();
      assertThat(isTried()).as("%s", next).isTrue();
    }
    link.state = ServerLink.State.ASKED; // it answers on another connection
    carrier.timers.remove().run();
    assertThat(link.isRenewed).isFalse();
    assertThat(carrier.timers).isEmpty();
    assertThat(carrier.attempts).isEmpty();
  }

  /** A series ends when the next one begins, so that a path that is back is found at any time. */
  @Test
  void attemptsFollowEachOtherWithoutGaps() throws Exception {
    ServerLinks links = links();
    ServerLink link = links.all().getFirst();
    link.wasAccepted = true;
    link.state = ServerLink.State.OPEN;
    renew(links, link);
    List<InetSocketAddress> series = carrier.attempts.poll(60, TimeUnit.SECONDS);
    assertThat(series).isNotNull();
    assertThat(carrier.delays).containsExactly(series.size() * Carrier.NEXT_ATTEMPT_NANOS);
    long roundTripNanos = 200_000_000;
    assertThat(Carrier.NEXT_ATTEMPT_NANOS + 4 * roundTripNanos)
        .isLessThanOrEqualTo(roundTripNanos + Loopback.SECOND);
  }

  @Test
  void oneSeriesOfAttemptsIsUnderWayAtATime() throws Exception {
    ServerLinks links = links();
    ServerLink link = links.all().getFirst();
    link.state = ServerLink.State.OPEN;
    renew(links, link);
    renew(links, link);
    assertThat(isTried()).isTrue();
    assertThat(carrier.attempts).isEmpty();
    assertThat(carrier.timers).hasSize(1);
  }
}
