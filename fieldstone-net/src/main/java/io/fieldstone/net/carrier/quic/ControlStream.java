package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.HeapExhaustion;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.lang.foreign.MemorySegment;

/**
 * Control messages on the stream of a connection. Each is preceded by its length in 4 bytes, big
 * endian. An empty one means only that the peer is there.
 */
final class ControlStream extends ChannelInboundHandlerAdapter {
  private static final int LENGTH_BYTES = 4;

  private final QuicConnection connection;
  private final Channel stream;

  private ControlStream(QuicConnection connection, QuicStreamChannel stream) {
    this.connection = connection;
    this.stream = stream;
  }

  /** Makes a stream the control stream of a connection. */
  static ControlStream on(QuicStreamChannel stream, QuicConnection connection) {
    ControlStream control = new ControlStream(connection, stream);
    ChannelPipeline pipeline = stream.pipeline();
    pipeline.addLast(
        new LengthFieldBasedFrameDecoder(
            LENGTH_BYTES + Connection.MAX_CONTROL_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES));
    pipeline.addLast(control);
    return control;
  }

  boolean isWritable() {
    return stream.isActive() && stream.isWritable();
  }

  /** Sends a message if the stream takes it; what does not fit the window waits in the stream. */
  boolean send(MemorySegment message) {
    if (!isWritable()) {
      return false;
    }
    int bytes = (int) message.byteSize();
    ByteBuf frame = stream.alloc().directBuffer(LENGTH_BYTES + bytes);
    frame.writeInt(bytes);
    QuicConnection.copy(message, frame);
    stream.writeAndFlush(frame).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    return true;
  }

  /** Sends an empty message, which keeps the connection from being idle. */
  void sendEmpty() {
    send(MemorySegment.NULL);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf frame = (ByteBuf) message;
    try {
      if (frame.isReadable()) {
        connection.controlArrived(frame);
      }
    } finally {
      frame.release();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (isWritable()) {
      connection.controlWritable();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    connection.controlEnded();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    HeapExhaustion.report(cause);
    if (causedByLength(cause)) {
      connection.close(
          CloseReason.BAD_FRAME,
          "a control message has more than " + Connection.MAX_CONTROL_BYTES + " bytes");
    } else {
      connection.close(CloseReason.BAD_FRAME, "the control stream failed");
    }
  }

  private static boolean causedByLength(Throwable cause) {
    return cause instanceof TooLongFrameException
        || cause.getCause() instanceof TooLongFrameException;
  }
}
