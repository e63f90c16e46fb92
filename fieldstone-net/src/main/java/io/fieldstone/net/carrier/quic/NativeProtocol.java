package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.trust.Identity;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;

/** Fieldstone's own protocol: datagrams, and one stream of control messages. */
final class NativeProtocol implements ServerProtocol {
  private final QuicSslContext context;

  NativeProtocol(Identity identity, String protocol) {
    context =
        QuicSslContextBuilder.forServer(identity.key(), null, identity.certificate())
            .applicationProtocols(protocol)
            .build();
  }

  @Override
  public void configure(QuicServerCodecBuilder codec) {
    codec.sslContext(context).streamHandler(controlOpener());
  }

  @Override
  public int datagramPrefixBytes() {
    return 0;
  }

  @Override
  public void prepare(QuicChannel channel, QuicConnection connection) {}

  /** The first stream that a client opens is its control stream. */
  private static ChannelInitializer<QuicStreamChannel> controlOpener() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(QuicStreamChannel stream) {
        QuicCarrier.connectionOf(stream.parent()).open(stream);
      }
    };
  }
}
