package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.Listener;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A UDP socket with the connections that it accepted. */
final class QuicListener implements Listener {
  private final Channel udp;
  private final InetSocketAddress localAddress;
  private final Consumer<QuicListener> onClose;

  /** Belongs to the loop. */
  private final Set<QuicConnection> connections;

  QuicListener(Channel udp, Set<QuicConnection> connections, Consumer<QuicListener> onClose) {
    this.udp = udp;
    this.localAddress = (InetSocketAddress) udp.localAddress();
    this.connections = connections;
    this.onClose = onClose;
  }

  /** Makes the set of connections, which are closed in the order of their coming. */
  static Set<QuicConnection> newConnections() {
    return new LinkedHashSet<>();
  }

  Channel udp() {
    return udp;
  }

  @Override
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public void close() {
    onClose.accept(this);
    try {
      if (udp.eventLoop().inEventLoop()) {
        closeAll();
      } else {
        udp.eventLoop().submit(this::closeAll).awaitUninterruptibly();
        udp.closeFuture().awaitUninterruptibly();
      }
    } catch (RejectedExecutionException e) {
      // The loop has ended, and the socket with it.
    }
  }

  private void closeAll() {
    String text = "the server shuts down";
    for (QuicConnection each : List.copyOf(connections)) {
      each.close(new CloseReason(Kind.CLOSED_HERE, CloseReason.DONE, text), CloseReason.DONE, text);
    }
    // After the connections, the young ones too.
    Runnable last = udp::close;
    Future<?> _ =
        udp.eventLoop().schedule(last, QuicConnection.SETTLING_NANOS, TimeUnit.NANOSECONDS);
  }
}
