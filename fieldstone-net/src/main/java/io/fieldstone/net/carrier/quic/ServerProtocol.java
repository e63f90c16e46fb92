package io.fieldstone.net.carrier.quic;

import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;

/** Sets up the protocol above QUIC of the connections that a listener accepts, on their loops. */
interface ServerProtocol {

  /** Sets the certificate, and the streams that a client may open. */
  void configure(QuicServerCodecBuilder codec);

  /** Returns the bytes before each datagram, which say to which session it belongs. */
  int datagramPrefixBytes();

  /** Prepares an accepted channel, whose connection handles datagrams already. */
  void prepare(QuicChannel channel, QuicConnection connection);
}
