package io.fieldstone.net.carrier.quic;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http3.DefaultHttp3HeadersFrame;
import io.netty.handler.codec.http3.Http3DataFrame;
import io.netty.handler.codec.http3.Http3Headers;
import io.netty.handler.codec.http3.Http3HeadersFrame;
import io.netty.handler.codec.http3.Http3RequestStreamInboundHandler;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.util.ReferenceCountUtil;

/** Answers one request of HTTP/3: the one that opens the session, or any other, with an error. */
final class WebRequest extends Http3RequestStreamInboundHandler {

  /** The path of the session. */
  static final String PATH = "/fieldstone";

  private final WebSession session;
  private boolean isSession;

  WebRequest(WebSession session) {
    this.session = session;
  }

  @Override
  protected void channelRead(ChannelHandlerContext context, Http3HeadersFrame frame) {
    Http3Headers request = frame.headers();
    QuicStreamChannel stream = (QuicStreamChannel) context.channel();
    if (!"CONNECT".contentEquals(request.method())
        || request.protocol() == null
        || !"webtransport".contentEquals(request.protocol())) {
      refuse(context, "405");
    } else if (!PATH.contentEquals(request.path())) {
      refuse(context, "404");
    } else if (stream.streamId() != WebTransport.SESSION_STREAM) {
      refuse(context, "429");
    } else {
      isSession = true;
      Http3HeadersFrame answer = new DefaultHttp3HeadersFrame();
      answer.headers().status("200").add("sec-webtransport-http3-draft", "draft02");
      context.writeAndFlush(answer);
      session.accept(stream);
    }
  }

  private static void refuse(ChannelHandlerContext context, String status) {
    Http3HeadersFrame answer = new DefaultHttp3HeadersFrame();
    answer.headers().status(status);
    context
        .writeAndFlush(answer)
        .addListener(QuicStreamChannel.SHUTDOWN_OUTPUT)
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  @Override
  protected void channelRead(ChannelHandlerContext context, Http3DataFrame frame) {
    ByteBuf content = frame.content();
    if (isSession) {
      session.capsules(content);
    }
    ReferenceCountUtil.release(frame);
  }

  @Override
  protected void channelInputClosed(ChannelHandlerContext context) {
    if (isSession) {
      session.ended();
    }
  }
}
