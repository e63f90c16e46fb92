package io.fieldstone.net.carrier.quic;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import java.util.List;

/**
 * Takes the streams of a WebTransport session out of those of HTTP/3. It stands before the handler
 * of HTTP/3, which would take the first bytes of such a stream for an unknown frame.
 */
final class WebStreams extends ChannelInboundHandlerAdapter {

  /** WEBTRANSPORT_STREAM, 0x41, as an integer of variable length in two bytes. */
  private static final int STREAM_SIGNAL = 0x4041;

  private final WebSession session;

  WebStreams(WebSession session) {
    this.session = session;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof QuicStreamChannel stream
        && stream.type() == QuicStreamType.BIDIRECTIONAL) {
      stream.pipeline().addLast(new FirstBytes());
    }
    context.fireChannelRead(message);
  }

  /** Reads the first bytes of a stream, and passes it to HTTP/3 or to the session. */
  private final class FirstBytes extends ByteToMessageDecoder {

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
      int start = in.readerIndex();
      if (in.readableBytes() < Short.BYTES) {
        return;
      }
      if (in.getUnsignedShort(start) != STREAM_SIGNAL) {
        context.pipeline().remove(this);
        return;
      }
      if (in.readableBytes() < Short.BYTES + 1) {
        return;
      }
      int sessionStream = in.skipBytes(Short.BYTES).readUnsignedByte();
      QuicStreamChannel stream = (QuicStreamChannel) context.channel();
      removeOthers(stream.pipeline());
      if (sessionStream == WebTransport.SESSION_STREAM) {
        session.open(stream);
      } else {
        stream.close();
      }
      stream.pipeline().remove(this);
    }

    /** Removes what the handler of HTTP/3 has added. */
    private void removeOthers(ChannelPipeline pipeline) {
      for (String name : pipeline.names()) {
        ChannelHandler handler = pipeline.get(name);
        if (handler != null && handler != this) {
          pipeline.remove(handler);
        }
      }
    }
  }
}
