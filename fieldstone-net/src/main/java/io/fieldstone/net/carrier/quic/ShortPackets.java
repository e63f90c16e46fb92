package io.fieldstone.net.carrier.quic;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;

/**
 * Drops packets that are too short for an id of a connection. {@link
 * io.netty.handler.codec.quic.QuicCodecDispatcher}, which comes next, would throw an exception for
 * each and keep its memory (Netty 4.2.18).
 */
final class ShortPackets extends ChannelInboundHandlerAdapter {
  private final int minBytes;

  /**
   * Creates the handler of one socket.
   *
   * @param idBytes the bytes of an id, which follow the first byte of a packet
   */
  ShortPackets(int idBytes) {
    this.minBytes = 1 + idBytes;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof DatagramPacket packet && packet.content().readableBytes() < minBytes) {
      packet.release();
    } else {
      context.fireChannelRead(message);
    }
  }
}
