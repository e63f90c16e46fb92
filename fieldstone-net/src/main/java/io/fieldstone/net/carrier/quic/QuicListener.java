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

  /** Set once a socket is being closed. */
  private static final AttributeKey<Boolean> CLOSING =
      AttributeKey.valueOf(QuicListener.class, "closing");

  private final List<Channel> sockets;
  private final InetSocketAddress localAddress;
  private final Consumer<QuicListener> onClose;

  QuicListener(List<Channel> sockets, Consumer<QuicListener> onClose) {
    this.sockets = sockets;
    this.localAddress = (InetSocketAddress) sockets.getFirst().localAddress();
    this.onClose = onClose;
  }

  /** Prepares a socket that accepts connections; they are closed in the order of their coming. */
  static void prepare(Channel udp) {
    udp.attr(ACCEPTED).set(new LinkedHashSet<>());
  }

  /**
   * Takes a connection that a socket has accepted, on its loop.
   *
   * @return false if the listener is being closed; the connection is then, too
   */
  static boolean accept(Channel udp, QuicConnection connection) {
    if (udp.attr(CLOSING).get() != null) {
      close(connection);
      return false;
    }
    Set<QuicConnection> accepted = udp.attr(ACCEPTED).get();
    accepted.add(connection);
    connection.channel().closeFuture().addListener(_ -> accepted.remove(connection));
    return true;
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
    udp.attr(CLOSING).set(true);
    List.copyOf(udp.attr(ACCEPTED).get()).forEach(QuicListener::close);
    // After the connections, also those whose handshake ends now.
    Runnable last = udp::close;
    Future<?> _ =
        udp.eventLoop().schedule(last, 2 * QuicConnection.SETTLING_NANOS, TimeUnit.NANOSECONDS);
  }

  private static void close(QuicConnection connection) {
    String text = "the server shuts down";
    connection.close(
        new CloseReason(Kind.CLOSED_HERE, CloseReason.DONE, text), CloseReason.DONE, text);
  }
}
