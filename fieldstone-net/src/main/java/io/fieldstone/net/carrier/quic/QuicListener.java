package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.Listener;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The UDP sockets of an address, one for each loop, with the connections that they accepted. */
final class QuicListener implements Listener {
  private static final AttributeKey<Set<QuicConnection>> ACCEPTED =
      AttributeKey.valueOf(QuicListener.class, "accepted");

  private final List<Channel> sockets;
  private final InetSocketAddress localAddress;
  private final Consumer<QuicListener> onClose;

  QuicListener(List<Channel> sockets, Consumer<QuicListener> onClose) {
    this.sockets = sockets;
    this.localAddress = (InetSocketAddress) sockets.getFirst().localAddress();
    this.onClose = onClose;
  }

  /**
   * Returns the connections of a socket, which are closed in the order of their coming. They belong
   * to its loop.
   */
  static Set<QuicConnection> accepted(Channel udp) {
    udp.attr(ACCEPTED).setIfAbsent(new LinkedHashSet<>());
    return udp.attr(ACCEPTED).get();
  }

  List<Channel> sockets() {
    return sockets;
  }

  @Override
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  @Override
  public void close() {
    onClose.accept(this);
    sockets.forEach(QuicListener::close);
    for (Channel udp : sockets) {
      if (!udp.eventLoop().inEventLoop()) {
        udp.closeFuture().awaitUninterruptibly();
      }
    }
  }

  private static void close(Channel udp) {
    try {
      if (udp.eventLoop().inEventLoop()) {
        closeAll(udp);
      } else {
        udp.eventLoop().execute(() -> closeAll(udp));
      }
    } catch (RejectedExecutionException e) {
      // The loop has ended, and the socket with it.
    }
  }

  private static void closeAll(Channel udp) {
    String text = "the server shuts down";
    for (QuicConnection each : List.copyOf(accepted(udp))) {
      each.close(new CloseReason(Kind.CLOSED_HERE, CloseReason.DONE, text), CloseReason.DONE, text);
    }
    // After the connections, the young ones too.
    Runnable last = udp::close;
    Future<?> _ =
        udp.eventLoop().schedule(last, QuicConnection.SETTLING_NANOS, TimeUnit.NANOSECONDS);
  }
}
