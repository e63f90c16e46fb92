package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.quic.Quic;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicChannelOption;
import io.netty.handler.codec.quic.QuicClientCodecBuilder;
import io.netty.handler.codec.quic.QuicCodecBuilder;
import io.netty.handler.codec.quic.QuicCodecDispatcher;
import io.netty.handler.codec.quic.QuicConnectionIdGenerator;
import io.netty.handler.codec.quic.QuicServerCodecBuilder;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Connections over QUIC with datagrams.
 *
 * {@snippet :
 * try (Carrier carrier = QuicCarrier.open(QuicOptions.DEFAULT, Identity.open(folder, now))) {
 *   Listener listener = carrier.listen(new InetSocketAddress(4242), Session::new);
 * }
 * }
 *
 * <p>The certificate of a server is not checked by a chain of authorities, but by its fingerprint.
 * The handshake proves that the server has the private key; then the client asks whether the
 * fingerprint is trusted, and closes the connection if not, before it has sent anything.
 */
public final class QuicCarrier implements Carrier {
  private static final AttributeKey<QuicConnection> CONNECTION =
      AttributeKey.valueOf(QuicCarrier.class, "connection");

  /** The property of Netty that names the folder into which it unpacks native libraries. */
  private static final String LIBRARY_FOLDER = "io.netty.native.workdir";

  /** The length of the transport's queue, which the bounded backlog must never reach. */
  private static final int TRANSPORT_QUEUE = 1024;

  /**
   * Each packet carries one, so they are shorter than the usual 20 bytes. Those of a server have
   * the number of its loop in two bytes more.
   */
  private static final int CLIENT_ID_BYTES = 4;

  private static final int SERVER_ID_BYTES = 10;

  /** The ids of a connection. The transport uses one up whenever the address of a peer changes. */
  private static final int CONNECTION_IDS = 8;

  private static final int SOCKET_BUFFER_BYTES = 8 << 20;

  /** Jumbo frames of Ethernet, also if this side sends smaller packets. */
  private static final int MIN_RECEIVED_UDP_BYTES = 9216;

  private static final long CONTROL_WINDOW_BYTES = 1 << 20;
  private static final long SHUTDOWN_SECONDS = 2;

  /** The time within which a closed connection has notified its peer. */
  private static final long MAX_CLOSE_MILLIS = 500;

  private final QuicOptions options;
  private final @Nullable Identity identity;
  private final EventLoopGroup group;
  private final List<Loop> loops;
  private final QuicSslContext clientContext;
  private final Set<QuicListener> listeners = ConcurrentHashMap.newKeySet();
  private final Set<QuicConnection> clients = ConcurrentHashMap.newKeySet();

  private QuicCarrier(QuicOptions options, @Nullable Identity identity) {
    this.options = options;
    this.identity = identity;
    this.clientContext =
        QuicSslContextBuilder.forClient()
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .applicationProtocols(options.protocol())
            .build();
    this.group =
        new MultiThreadIoEventLoopGroup(
            options.sockets().sharedAddress().isPresent() ? options.loops() : 1,
            new DefaultThreadFactory("fieldstone-net", true),
            options.sockets().ioHandlers());
    List<Loop> each = new ArrayList<>();
    group.forEach(executor -> each.add(new QuicLoop((EventLoop) executor)));
    this.loops = List.copyOf(each);
  }

  /**
   * Opens a carrier that connects and listens.
   *
   * @throws UncheckedIOException if the native library of QUIC cannot be loaded
   */
  public static QuicCarrier open(QuicOptions options, Identity identity) {
    requireLibrary();
    return new QuicCarrier(options, identity);
  }

  /**
   * Opens a carrier that only connects.
   *
   * @throws UncheckedIOException if the native library of QUIC cannot be loaded
   */
  public static QuicCarrier openClient(QuicOptions options) {
    requireLibrary();
    return new QuicCarrier(options, null);
  }

  private static void requireLibrary() {
    try {
      Quic.ensureAvailability();
    } catch (UnsatisfiedLinkError e) {
      String folder = System.getProperty(LIBRARY_FOLDER, System.getProperty("java.io.tmpdir"));
      throw new UncheckedIOException(
          new IOException(
              ("the native library of QUIC cannot be loaded: its folder needs space, and programs"
                      + " must be allowed in it (no noexec); -D%s=DIR names another: %s")
                  .formatted(LIBRARY_FOLDER, folder),
              e));
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the carrier has no identity
   */
  @Override
  public Listener listen(InetSocketAddress address, Function<Connection, ConnectionHandler> accept)
      throws IOException {
    Identity own = identity;
    if (own == null) {
      throw new IllegalStateException("a carrier without identity cannot listen");
    }
    return listen(address, new NativeProtocol(own, options.protocol()), accept);
  }

  @Override
  public Listener listenForBrowsers(
      InetSocketAddress address,
      BrowserCertificates certificates,
      Function<Connection, ConnectionHandler> accept)
      throws IOException {
    return listen(address, new WebTransport(certificates), accept);
  }

  private Listener listen(
      InetSocketAddress address,
      ServerProtocol protocol,
      Function<Connection, ConnectionHandler> accept)
      throws IOException {
    ServerCodecs codecs = new ServerCodecs(protocol, accept);
    ChannelHandler handlers =
        new ChannelInitializer<Channel>() {
          @Override
          public boolean isSharable() {
            return true;
          }

          @Override
          protected void initChannel(Channel udp) {
            udp.pipeline().addLast(new ShortPackets(SERVER_ID_BYTES), codecs);
          }
        };
    List<Channel> sockets = bindAll(address, handlers);
    sockets.forEach(options.sockets()::forbidFragments);
    QuicListener listener = new QuicListener(sockets, listeners::remove);
    listeners.add(listener);
    return listener;
  }

  /** Binds a socket on each loop. */
  private List<Channel> bindAll(InetSocketAddress address, ChannelHandler handlers)
      throws IOException {
    if (loops.size() == 1) {
      return List.of(bound(address, bootstrap(group, handlers)));
    }
    ChannelOption<Boolean> sharing = options.sockets().sharedAddress().orElseThrow();
    // Another server could share the address, too, so first one socket asks for it alone.
    Channel alone = bound(address, bootstrap(group, new ChannelInboundHandlerAdapter()));
    int port = ((InetSocketAddress) alone.localAddress()).getPort();
    alone.close().awaitUninterruptibly();
    InetSocketAddress shared = new InetSocketAddress(address.getAddress(), port);
    List<Channel> sockets = new ArrayList<>();
    try {
      for (EventExecutor loop : group) {
        Bootstrap bootstrap = bootstrap((EventLoop) loop, handlers).option(sharing, true);
        sockets.add(bound(shared, bootstrap));
      }
      return sockets;
    } catch (IOException e) {
      sockets.forEach(Channel::close);
      throw e;
    }
  }

  private static Channel bound(InetSocketAddress address, Bootstrap bootstrap) throws IOException {
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw notBound(address, bound.cause());
    }
    return bound.channel();
  }

  @Override
  public CompletableFuture<Connection> connect(
      List<InetSocketAddress> remotes, Predicate<Fingerprint> trusted, ConnectionHandler handler) {
    if (remotes.isEmpty()) {
      throw new IllegalArgumentException("no address to connect to");
    }
    return new AddressRace(
            remotes, group.next(), (remote, wins) -> connect(remote, trusted, handler, wins))
        .start();
  }

  private CompletableFuture<Connection> connect(
      InetSocketAddress remote,
      Predicate<Fingerprint> trusted,
      ConnectionHandler handler,
      BooleanSupplier wins) {
    CompletableFuture<Connection> result = new CompletableFuture<>();
    if (remote.isUnresolved()) {
      result.completeExceptionally(failed(remote, new CloseReason(Kind.FAILED, 0, "unknown host")));
      return result;
    }
    InetSocketAddress any =
        new InetSocketAddress(remote.getAddress() instanceof Inet6Address ? "::" : "0.0.0.0", 0);
    bootstrap(group, clientCodec())
        .bind(any)
        .addListener((ChannelFuture bound) -> {
          if (bound.isSuccess()) {
            connect(bound.channel(), remote, new Attempt(remote, trusted, handler, wins, result));
          } else {
            CloseReason reason = CloseReasons.ofFailure(bound.cause(), options.protocol(), 0);
            result.completeExceptionally(failed(remote, reason));
          }
        });
    return result;
  }

  private ChannelHandler clientCodec() {
    ChannelHandler codec =
        configure(new QuicClientCodecBuilder())
            .localConnectionIdLength(CLIENT_ID_BYTES)
            .sslContext(clientContext)
            .build();
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel udp) {
        udp.pipeline().addLast(new RepeatedHandshake(), codec);
      }
    };
  }

  private void connect(Channel udp, InetSocketAddress remote, Attempt attempt) {
    options.sockets().forbidFragments(udp);
    QuicChannel.newBootstrap(udp)
        .option(
            QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR,
            options.sockets().segments(options.maxUdpBytes()))
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) options.connectTimeout().toMillis())
        .handler(initializer(channel -> whenActive(newConnection(channel, 0), attempt::connected)))
        .streamHandler(refuseStreams())
        .remoteAddress(remote)
        .connect()
        .addListener((Future<QuicChannel> future) -> {
          if (!future.isSuccess()) {
            udp.close();
            attempt.fail(
                CloseReasons.ofFailure(
                    future.cause(), options.protocol(), options.connectTimeout().toMillis()));
          }
        });
  }

  @Override
  public List<Loop> loops() {
    return loops;
  }

  @Override
  public void close() {
    List.copyOf(listeners).forEach(QuicListener::close);
    List<QuicConnection> closing = List.copyOf(clients);
    closing.forEach(each -> each.close(CloseReason.DONE, "the peer shuts down"));
    // Else the group could end before the peers are notified, which would wait for their timeouts.
    closing.forEach(each -> each.awaitClosed(MAX_CLOSE_MILLIS));
    group.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    group.terminationFuture().awaitUninterruptibly(2 * SHUTDOWN_SECONDS, TimeUnit.SECONDS);
  }

  private <B extends QuicCodecBuilder<B>> B configure(B codec) {
    return codec
        .congestionControlAlgorithm(options.congestionControl().algorithm())
        .initialCongestionWindowPackets(options.windowPackets())
        .activeConnectionIdLimit(CONNECTION_IDS)
        .maxIdleTimeout(options.idleTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .maxSendUdpPayloadSize(options.maxUdpBytes())
        .maxRecvUdpPayloadSize(receivedBytes())
        .discoverPmtu(true)
        .datagram(TRANSPORT_QUEUE, TRANSPORT_QUEUE)
        .initialMaxData(CONTROL_WINDOW_BYTES)
        .initialMaxStreamDataBidirectionalLocal(CONTROL_WINDOW_BYTES)
        .initialMaxStreamDataBidirectionalRemote(CONTROL_WINDOW_BYTES)
        .initialMaxStreamsBidirectional(1)
        .initialMaxStreamsUnidirectional(0);
  }

  private int receivedBytes() {
    return Math.max(options.maxUdpBytes(), MIN_RECEIVED_UDP_BYTES);
  }

  private Bootstrap bootstrap(EventLoopGroup threads, ChannelHandler codec) {
    return options
        .sockets()
        .configure(new Bootstrap(), receivedBytes())
        .group(threads)
        .option(ChannelOption.SO_RCVBUF, SOCKET_BUFFER_BYTES)
        .option(ChannelOption.SO_SNDBUF, SOCKET_BUFFER_BYTES)
        .handler(codec);
  }

  private static IOException notBound(InetSocketAddress address, Throwable cause) {
    String message = CloseReasons.describe(cause) + ": " + text(address);
    IOException exception =
        cause instanceof IOException ? new BindException(message) : new IOException(message);
    exception.initCause(cause);
    return exception;
  }

  /**
   * Makes the codec of each socket of a listener. A packet whose sender has a new address may reach
   * another socket than that of its connection; the id of the connection identifies the right one.
   */
  private final class ServerCodecs extends QuicCodecDispatcher {
    private final ServerProtocol protocol;
    private final Function<Connection, ConnectionHandler> accept;

    ServerCodecs(ServerProtocol protocol, Function<Connection, ConnectionHandler> accept) {
      super(SERVER_ID_BYTES);
      this.protocol = protocol;
      this.accept = accept;
    }

    @Override
    protected void initChannel(Channel udp, int idBytes, QuicConnectionIdGenerator ids) {
      QuicListener.prepare(udp);
      QuicServerCodecBuilder codec =
          configure(new QuicServerCodecBuilder())
              .localConnectionIdLength(idBytes)
              .connectionIdAddressGenerator(ids)
              .tokenHandler(new AddressTokens(System::nanoTime, loops.size()))
              .option(
                  QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR,
                  options.sockets().segments(options.maxUdpBytes()))
              .handler(acceptor(udp));
      protocol.configure(codec);
      udp.pipeline().addLast(codec.build());
    }

    /** Sets up the channels that a socket accepts. */
    private ChannelHandler acceptor(Channel udp) {
      return initializer(channel ->
          whenActive(
              channel,
              protocol,
              connection -> {
                if (!QuicListener.accept(udp, connection)) {
                  return;
                }
                if (connection.takesDatagrams()) {
                  connection.handler(accept.apply(connection));
                  connection.awaitStream();
                } else {
                  close(connection, CloseReasons.versionMismatch(options.protocol()));
                }
              }));
    }
  }

  /** Makes the connection of a server's channel, and runs a task after the handshake. */
  private void whenActive(
      QuicChannel channel, ServerProtocol protocol, Consumer<QuicConnection> task) {
    QuicConnection connection = newConnection(channel, protocol.datagramPrefixBytes());
    protocol.prepare(channel, connection);
    whenActive(connection, task);
  }

  private QuicConnection newConnection(QuicChannel channel, int prefixBytes) {
    QuicConnection connection = new QuicConnection(channel, options, prefixBytes);
    channel.attr(CONNECTION).set(connection);
    return connection;
  }

  /** Runs a task with a connection once the handshake is complete. */
  private static void whenActive(QuicConnection connection, Consumer<QuicConnection> task) {
    connection
        .channel()
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelActive(ChannelHandlerContext context) {
                connection.call(() -> task.accept(connection));
                context.fireChannelActive();
              }
            });
  }

  private static ChannelHandler refuseStreams() {
    return new ChannelInitializer<QuicStreamChannel>() {
      @Override
      protected void initChannel(QuicStreamChannel stream) {
        stream.close();
      }
    };
  }

  private static Optional<Fingerprint> fingerprintOf(QuicChannel channel) {
    try {
      var engine = channel.sslEngine();
      return engine != null
              && engine.getSession().getPeerCertificates()[0] instanceof X509Certificate first
          ? Optional.of(Fingerprint.of(first))
          : Optional.empty();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  private static void close(QuicConnection connection, CloseReason reason) {
    connection.close(reason, reason.code(), reason.text());
  }

  static QuicConnection connectionOf(QuicChannel channel) {
    return channel.attr(CONNECTION).get();
  }

  private static ChannelHandler initializer(Consumer<QuicChannel> setUp) {
    return new ChannelInitializer<QuicChannel>() {
      @Override
      protected void initChannel(QuicChannel channel) {
        setUp.accept(channel);
      }
    };
  }

  private static ConnectFailedException failed(InetSocketAddress remote, CloseReason reason) {
    return new ConnectFailedException(text(remote), reason);
  }

  /** The address as a user writes it: host or IP address, colon, port. */
  private static String text(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** An attempt to connect. */
  private final class Attempt {
    private final InetSocketAddress remote;
    private final Predicate<Fingerprint> trusted;
    private final ConnectionHandler handler;
    private final BooleanSupplier wins;
    private final CompletableFuture<Connection> result;

    Attempt(
        InetSocketAddress remote,
        Predicate<Fingerprint> trusted,
        ConnectionHandler handler,
        BooleanSupplier wins,
        CompletableFuture<Connection> result) {
      this.remote = remote;
      this.trusted = trusted;
      this.handler = handler;
      this.wins = wins;
      this.result = result;
    }

    /** The handshake is complete; nothing of the user was sent yet. */
    void connected(QuicConnection connection) {
      QuicChannel channel = connection.channel();
      connection.handshakeComplete();
      channel.parent().pipeline().remove(RepeatedHandshake.class);
      clients.add(connection);
      channel
          .closeFuture()
          .addListener(_ -> {
            clients.remove(connection);
            channel.parent().close();
            // For a connection that ends before it opens; else the result is there already.
            CloseReason reason = connection.reason();
            if (reason != null) {
              fail(reason);
            }
          });
      CloseReason refusal = refusal(connection);
      if (refusal != null) {
        close(connection, refusal);
        fail(refusal);
        return;
      }
      channel
          .createStream(QuicStreamType.BIDIRECTIONAL, new ChannelInboundHandlerAdapter())
          .addListener((Future<QuicStreamChannel> stream) -> {
            if (stream.isSuccess()) {
              connection.handler(handler);
              connection.open(stream.getNow());
              connection.keepAlive();
              result.complete(connection);
            } else {
              close(connection, CloseReasons.ofFailure(stream.cause(), options.protocol(), 0));
            }
          });
    }

    void fail(CloseReason reason) {
      result.completeExceptionally(failed(remote, reason));
    }

    private @Nullable CloseReason refusal(QuicConnection connection) {
      if (!connection.takesDatagrams()) {
        return CloseReasons.versionMismatch(options.protocol());
      }
      Optional<Fingerprint> fingerprint = fingerprintOf(connection.channel());
      if (fingerprint.isEmpty()) {
        return new CloseReason(
            Kind.UNTRUSTED, CloseReason.UNTRUSTED_CODE, "the server has no certificate");
      }
      connection.fingerprint(fingerprint.get());
      if (!trusted.test(fingerprint.get())) {
        return new CloseReason(
            Kind.UNTRUSTED,
            CloseReason.UNTRUSTED_CODE,
            "the certificate " + fingerprint.get() + " is not trusted");
      }
      return wins.getAsBoolean()
          ? null
          : new CloseReason(Kind.CLOSED_HERE, CloseReason.DONE, "another address has answered");
    }
  }
}
