package io.fieldstone.net.carrier.quic;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Hands the packets of a handshake to the codec of a client twice, as a network may do. The codec
 * checks whether the handshake is complete when a packet arrives, but completes it later, when it
 * answers. Without a repetition it would find out a round trip later, from the next packet. QUIC
 * ignores repeated packets (RFC 9000, section 12.3).
 *
 * <p>Stands before the codec, and is removed once the connection is open.
 */
final class RepeatedHandshake extends ChannelInboundHandlerAdapter {

  private @Nullable DatagramPacket last;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof DatagramPacket packet) {
      release();
      last = packet.copy();
    }
    context.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    if (last != null) {
      try {
        // After the tasks of the codec, which check the certificate and answer.
        context.executor().execute(() -> repeat(context));
      } catch (RejectedExecutionException _) {
        release();
      }
    }
  }

  private void repeat(ChannelHandlerContext context) {
    DatagramPacket packet = last;
    if (packet != null) {
      last = null;
      context.fireChannelRead(packet);
      context.fireChannelReadComplete();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  private void release() {
    DatagramPacket packet = last;
    if (packet != null) {
      last = null;
      packet.release();
    }
  }
}
