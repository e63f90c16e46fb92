package io.fieldstone.net.carrier.quic;

import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;

/** What clients of a listener speak on top of QUIC. For the loops of one listener. */
interface ServerProtocol {

  /** Sets the certificate, and the streams that a client may open. */
  void configure(QuicServerCodecBuilder codec);

  /** Returns the bytes before each datagram, which say to which session it belongs. */
  int datagramPrefixBytes();

  /** Prepares an accepted channel, whose connection handles datagrams already. */
  void prepare(QuicChannel channel, QuicConnection connection);
}
