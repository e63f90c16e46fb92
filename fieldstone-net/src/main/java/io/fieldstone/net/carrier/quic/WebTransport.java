package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http3.DefaultHttp3SettingsFrame;
import io.netty.handler.codec.http3.Http3;
import io.netty.handler.codec.http3.Http3ServerConnectionHandler;
import io.netty.handler.codec.http3.Http3Settings;
import io.netty.handler.codec.http3.Http3SettingsFrame;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicSslEngine;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * WebTransport over HTTP/3 (draft-ietf-webtrans-http3), which browsers speak: one session a
 * connection. Its datagrams are those of the connection, after one byte of the session. The first
 * bidirectional stream of the session carries the control messages.
 */
final class WebTransport implements ServerProtocol {

  /** The session is the first request of its connection, stream 0; a quarter of that is 0. */
  static final int SESSION_STREAM = 0;

  private static final int PREFIX_BYTES = 1;

  /** The request of the session, the control stream, and requests of pages that are refused. */
  private static final int BIDIRECTIONAL_STREAMS = 8;

  /** Those of HTTP/3 and of the compression of its headers, and as many that are refused. */
  private static final int UNIDIRECTIONAL_STREAMS = 8;

  private static final long STREAM_WINDOW_BYTES = 1 << 16;

  /** RFC 9297, section 2.1.1. */
  private static final long SETTINGS_H3_DATAGRAM = 0x33;

  /** SETTINGS_ENABLE_WEBTRANSPORT of draft 2, which Chrome wants. */
  private static final long SETTINGS_ENABLE_WEBTRANSPORT = 0x2b603742L;

  /** SETTINGS_WEBTRANSPORT_MAX_SESSIONS of drafts 7 to 12. */
  private static final long SETTINGS_MAX_SESSIONS = 0xc671706aL;

  /** SETTINGS_WT_MAX_SESSIONS of draft 13 on. */
  private static final long SETTINGS_WT_MAX_SESSIONS = 0x14e9cd29L;

  private final BrowserCertificates certificates;
  private final Map<Fingerprint, QuicSslContext> contexts = new ConcurrentHashMap<>();

  WebTransport(BrowserCertificates certificates) {
    this.certificates = certificates;
  }

  @Override
  public void configure(QuicServerCodecBuilder codec) {
    codec
        .sslEngineProvider(this::engine)
        .initialMaxStreamsBidirectional(BIDIRECTIONAL_STREAMS)
        .initialMaxStreamsUnidirectional(UNIDIRECTIONAL_STREAMS)
        .initialMaxStreamDataUnidirectional(STREAM_WINDOW_BYTES);
  }

  /** Returns the engine of a connection, with the certificate of now. */
  private QuicSslEngine engine(QuicChannel channel) {
    Identity now = certificates.current();
    if (!contexts.containsKey(now.fingerprint())) {
      contexts.clear();
    }
    return contexts
        .computeIfAbsent(now.fingerprint(), _ -> context(now))
        .newEngine(channel.alloc());
  }

  private static QuicSslContext context(Identity identity) {
    return QuicSslContextBuilder.forServer(identity.key(), null, identity.certificate())
        .applicationProtocols(Http3.supportedApplicationProtocols())
        .build();
  }

  @Override
  public int datagramPrefixBytes() {
    return PREFIX_BYTES;
  }

  @Override
  public void prepare(QuicChannel channel, QuicConnection connection) {
    WebSession session = new WebSession(connection);
    channel
        .pipeline()
        .addLast(new WebStreams(session))
        .addLast(
            new Http3ServerConnectionHandler(
                requests(session), null, null, settings(), true, (_, _) -> true));
  }

  private static ChannelHandler requests(WebSession session) {
    return new ChannelInitializer<QuicStreamChannel>() {
      @Override
      protected void initChannel(QuicStreamChannel stream) {
        stream.pipeline().addLast(new WebRequest(session));
      }
    };
  }

  private static Http3SettingsFrame settings() {
    Http3Settings settings = new Http3Settings((_, _) -> true);
    settings.enableConnectProtocol(true);
    settings.put(SETTINGS_H3_DATAGRAM, 1L);
    settings.put(SETTINGS_ENABLE_WEBTRANSPORT, 1L);
    settings.put(SETTINGS_MAX_SESSIONS, 1L);
    settings.put(SETTINGS_WT_MAX_SESSIONS, 1L);
    return new DefaultHttp3SettingsFrame(settings);
  }
}
