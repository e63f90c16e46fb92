package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.HeapExhaustion;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.PathStats;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.net.trust.Fingerprint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicConnectionPathStats;
import io.netty.handler.codec.quic.QuicConnectionStats;
import io.netty.handler.codec.quic.QuicDatagramExtensionEvent;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicTransportParameters;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection of the port on a QUIC channel. Its fields belong to its loop. */
final class QuicConnection implements Connection {
  /**
   * The time in which the codec answers the last packets of a handshake. Closed before, it sends
   * packets without end, and takes all memory for them.
   */
  static final long SETTLING_NANOS = 20_000_000;

  /** The time that a farewell has to arrive before the connection is closed below it. */
  private static final long FAREWELL_NANOS = 200_000_000;

  private static final Logger LOGGER = System.getLogger(QuicConnection.class.getName());

  /** A turn of the loop accepts this many datagrams; then arriving packets get their turn. */
  private static final int MAX_DATAGRAMS_PER_TURN = 256;

  private static final long REFRESH_NANOS = 100_000_000;
  private static final long POLL_NANOS = 500_000;

  private final QuicChannel channel;
  private final QuicLoop loop;
  private final QuicOptions options;
  private final DatagramBacklog backlog;
  private final DatagramStall stall = new DatagramStall();

  /** The bytes before each datagram, all zero, which say to which session it belongs. */
  private final int prefixBytes;

  private InetSocketAddress remote;
  private Optional<Fingerprint> fingerprint = Optional.empty();
  private @Nullable ConnectionHandler handler;
  private @Nullable ControlStream control;
  private @Nullable ScheduledFuture<?> keepAlive;
  private @Nullable ScheduledFuture<?> poll;
  private @Nullable CloseReason reason;
  private @Nullable Farewell farewell;
  private @Nullable QuicConnectionCloseEvent peerClose;
  private @Nullable Throwable failure;
  private boolean open;
  private long openedNanos;
  private boolean closed;

  /** The packets that had arrived when a client's handshake was complete; −1 at a server. */
  private long handshakePackets = -1;

  /** The idle timeout of this side; once connected, the shorter one of both sides. */
  private long idleMillis;

  private int datagramOverheadBytes;
  private int maxDatagramBytes;
  private PathStats stats = PathStats.UNKNOWN;
  private long statsNanos;
  private int activePath;

  private long receivedPackets;

  private int acceptedInTurn;
  private boolean refusedDatagram;
  private boolean refusedControl;

  QuicConnection(QuicChannel channel, QuicOptions options, int prefixBytes) {
    this.channel = channel;
    this.prefixBytes = prefixBytes;
    this.loop = new QuicLoop(channel.eventLoop());
    this.options = options;
    this.backlog = new DatagramBacklog(options.maxBacklogDatagrams());
    this.idleMillis = options.idleTimeout().toMillis();
    this.remote = (InetSocketAddress) Objects.requireNonNull(channel.remoteSocketAddress());
    channel.pipeline().addLast(new ChannelEvents());
  }

  /** Notifies the peer, in the protocol above the transport, why the connection will be closed. */
  interface Farewell {
    /** Sends the code and the text. */
    void say(long code, String text);
  }

  /** Sets what is sent before the connection is closed. */
  void farewell(Farewell value) {
    farewell = value;
  }

  QuicChannel channel() {
    return channel;
  }

  /** Sets what reacts to the connection; a server does this once the handshake is complete. */
  void handler(ConnectionHandler value) {
    handler = value;
  }

  void fingerprint(Fingerprint value) {
    fingerprint = Optional.of(value);
  }

  /** Whether the peer takes datagrams; known once the handshake is complete. */
  boolean takesDatagrams() {
    return maxDatagramBytes > 0;
  }

  /** Opens the connection on its control stream. */
  void open(QuicStreamChannel stream) {
    if (closed || reason != null || control != null) {
      stream.close();
      return;
    }
    control = ControlStream.on(stream, this);
    open = true;
    openedNanos = System.nanoTime();
    agreeOnIdleTimeout();
    NetworkEvents.opened(remote);
    call(() -> requireHandler().opened(this));
  }

  /**
   * Takes note that the handshake is complete at this client. The server may still lack the last
   * packet of it, and then cannot decrypt the reason of a close.
   */
  void handshakeComplete() {
    handshakePackets = arrivedPackets();
  }

  /** Whether the server has answered the last packet of a client's handshake. */
  private boolean isAnswered() {
    return arrivedPackets() > handshakePackets;
  }

  private long arrivedPackets() {
    QuicConnectionStats now = channel.collectStats().getNow();
    return now == null ? Long.MAX_VALUE : now.recv();
  }

  /** Closes the connection if the peer does not open the control stream soon. */
  void awaitStream() {
    schedule(
        () -> {
          if (control == null) {
            close(CloseReason.NO_STREAM_CODE, "no control stream");
          }
        },
        options.connectTimeout().toNanos());
  }

  /** Takes the peer's idle timeout if it is shorter; 0 is none (RFC 9000, section 10.1). */
  private void agreeOnIdleTimeout() {
    QuicTransportParameters peer = channel.peerTransportParameters();
    if (peer != null && peer.maxIdleTimeout() > 0) {
      idleMillis = Math.min(idleMillis, peer.maxIdleTimeout());
    }
  }

  /**
   * Sends an empty message: the first one opens the stream at the server, later ones show that this
   * side is alive.
   */
  void keepAlive() {
    ControlStream stream = control;
    if (stream != null) {
      stream.sendEmpty();
      long periodMillis = Math.max(idleMillis / 3, 1);
      keepAlive =
          loop.events()
              .scheduleAtFixedRate(
                  stream::sendEmpty, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }
  }

  /** Why the connection was closed, or null if it was not. */
  @Nullable CloseReason reason() {
    return reason;
  }

  /** Closes with this reason, which the peer receives as a code and a text. */
  void close(CloseReason why, long code, String text) {
    if (closed || reason != null) {
      return;
    }
    reason = why;
    open = false;
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int bytes = Math.min(utf8.length, CloseReason.MAX_TEXT_BYTES);
    Farewell last = farewell;
    Runnable end = () -> channel.close(true, (int) code, Unpooled.copiedBuffer(utf8, 0, bytes));
    Runnable task =
        () -> {
          channel.flush();
          if (last == null) {
            end.run();
          } else {
            last.say(code, text);
            var _ = loop.events().schedule(end, FAREWELL_NANOS, TimeUnit.NANOSECONDS);
          }
        };
    long now = System.nanoTime();
    if (control == null || now - openedNanos < SETTLING_NANOS || !isAnswered()) {
      afterHandshake(task, now + options.connectTimeout().toNanos());
    } else {
      loop.events().execute(task);
    }
  }

  /**
   * Runs a task once the codec has had time to answer the handshake, and the peer has its last
   * packet. Until then the transport repeats that packet; it never repeats a close.
   */
  private void afterHandshake(Runnable task, long deadlineNanos) {
    Runnable later =
        () -> {
          if (isAnswered() || System.nanoTime() - deadlineNanos >= 0) {
            task.run();
          } else {
            afterHandshake(task, deadlineNanos);
          }
        };
    var _ = loop.events().schedule(later, SETTLING_NANOS, TimeUnit.NANOSECONDS);
  }

  @Override
  public InetSocketAddress remoteAddress() {
    if (channel.remoteSocketAddress() instanceof InetSocketAddress now) {
      remote = now;
    }
    return remote;
  }

  @Override
  public Optional<Fingerprint> remoteFingerprint() {
    return fingerprint;
  }

  @Override
  public int maxDatagramBytes() {
    if (open && System.nanoTime() - statsNanos > REFRESH_NANOS) {
      refreshStats();
    }
    return maxDatagramBytes;
  }

  @Override
  public boolean sendDatagram(MemorySegment bytes) {
    if (!open) {
      return false;
    }
    long size = bytes.byteSize();
    if (size < 1 || size > maxDatagramBytes()) {
      throw new IllegalArgumentException(
          "datagram of " + size + " bytes: want 1 to " + maxDatagramBytes);
    }
    if (acceptedInTurn >= MAX_DATAGRAMS_PER_TURN) {
      refusedDatagram = true;
      return false;
    }
    if (backlog.isFull() && !observe()) {
      refusedDatagram = true;
      pollBacklog();
      return false;
    }
    ByteBuf buffer = channel.alloc().directBuffer(prefixBytes + (int) size);
    copy(bytes, buffer.writeZero(prefixBytes));
    channel.write(buffer, channel.voidPromise());
    backlog.add(prefixBytes + (int) size);
    if (++acceptedInTurn == MAX_DATAGRAMS_PER_TURN) {
      schedule(this::newTurn, 0);
    }
    return true;
  }

  @Override
  public void flush() {
    if (open) {
      channel.flush();
    }
  }

  @Override
  public long backlogDatagrams() {
    if (open && backlog.size() > 0) {
      observe();
    }
    return backlog.size();
  }

  @Override
  public boolean sendControl(MemorySegment message) {
    long size = message.byteSize();
    if (size < 1 || size > MAX_CONTROL_BYTES) {
      throw new IllegalArgumentException(
          "control message of " + size + " bytes: want 1 to " + MAX_CONTROL_BYTES);
    }
    ControlStream stream = control;
    if (!open || stream == null) {
      return false;
    }
    if (!stream.send(message)) {
      refusedControl = true;
      return false;
    }
    return true;
  }

  @Override
  public long packetsReceived() {
    QuicConnectionStats now = open ? channel.collectStats().getNow() : null;
    receivedPackets = now == null ? receivedPackets : now.recv();
    return receivedPackets;
  }

  @Override
  public PathStats stats() {
    if (open) {
      refreshStats();
    }
    return stats;
  }

  @Override
  public Loop loop() {
    return loop;
  }

  @Override
  public void execute(Runnable task) {
    schedule(task, 0);
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    // A scheduled task, unlike an executed one, never runs in the turn that submits it.
    return loop.schedule(() -> call(task), delayNanos);
  }

  @Override
  public void close(long code, String text) {
    if (code < 0 || code > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("close code " + code + ": want 0 to 2147483647");
    }
    Runnable task = () -> close(new CloseReason(Kind.CLOSED_HERE, code, text), code, text);
    if (loop.events().inEventLoop()) {
      task.run();
    } else {
      try {
        loop.events().execute(task);
      } catch (RejectedExecutionException e) {
        LOGGER.log(Level.DEBUG, "closed already: {0}", remote);
      }
    }
  }

  /** Closes the connection, whose session the peer has ended. */
  void endedByPeer(CloseReason why) {
    if (!closed && reason == null) {
      reason = why;
      open = false;
      channel.close(true, (int) CloseReason.DONE, Unpooled.EMPTY_BUFFER);
    }
  }

  /** Waits until a connection that was closed has notified its peer, for a time at most. */
  void awaitClosed(long millis) {
    boolean _ = channel.closeFuture().awaitUninterruptibly(millis, TimeUnit.MILLISECONDS);
  }

  /** Appends the bytes of a segment to a buffer that has room for them. */
  static void copy(MemorySegment from, ByteBuf to) {
    int bytes = (int) from.byteSize();
    MemorySegment.ofBuffer(to.internalNioBuffer(to.writerIndex(), bytes)).copyFrom(from);
    to.writerIndex(to.writerIndex() + bytes);
  }

  void controlArrived(ByteBuf frame) {
    if (open) {
      call(() -> requireHandler().control(view(frame)));
    }
  }

  void controlWritable() {
    if (refusedControl) {
      schedule(this::fireWritable, 0);
    }
  }

  void controlEnded() {
    if (open && channel.isActive()) {
      close(CloseReason.BAD_FRAME, "the control stream ended");
    }
  }

  private static MemorySegment view(ByteBuf buffer) {
    return MemorySegment.ofBuffer(
            buffer.internalNioBuffer(buffer.readerIndex(), buffer.readableBytes()))
        .asReadOnly();
  }

  private ConnectionHandler requireHandler() {
    ConnectionHandler value = handler;
    if (value == null) {
      throw new IllegalStateException("the connection has no handler");
    }
    return value;
  }

  /** Runs code of a user of the port; a failure ends the connection. */
  void call(Runnable code) {
    try {
      code.run();
    } catch (RuntimeException | Error e) {
      HeapExhaustion.report(e);
      LOGGER.log(Level.WARNING, "the handler of the connection with " + remote + " failed", e);
      close(
          new CloseReason(Kind.FAILED, CloseReason.INTERNAL, CloseReasons.describe(e)),
          CloseReason.INTERNAL,
          "internal error");
    }
  }

  private void newTurn() {
    acceptedInTurn = 0;
    if (refusedDatagram) {
      if (backlog.isFull() && !observe()) {
        pollBacklog();
      } else {
        fireWritable();
      }
    }
  }

  private void fireWritable() {
    if (open) {
      refusedDatagram = false;
      refusedControl = false;
      requireHandler().writable();
    }
  }

  /** Compares the backlog with what was sent; gives whether there is room. */
  private boolean observe() {
    QuicConnectionStats now = channel.collectStats().getNow();
    if (now != null) {
      boolean hasSent = backlog.observe(now.sent(), now.sentBytes());
      if (stall.observe(hasSent, backlog.size(), now.recv(), System.nanoTime())) {
        backlog.clear();
        if (stall.isBroken()) {
          close(CloseReason.NO_DATAGRAMS, "the transport sends no datagrams any more");
        }
      }
    }
    return !backlog.isFull();
  }

  /** The transport does not say when it sends a datagram, so a full backlog is polled. */
  private void pollBacklog() {
    if (poll == null) {
      poll = loop.events().schedule(this::polled, POLL_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private void polled() {
    poll = null;
    if (!open || !refusedDatagram) {
      return;
    }
    observe();
    if (backlog.size() <= options.maxBacklogDatagrams() / 2) {
      call(this::fireWritable);
    } else {
      pollBacklog();
    }
  }

  private void refreshStats() {
    statsNanos = System.nanoTime();
    QuicConnectionPathStats path = path();
    if (path == null) {
      return;
    }
    long rtt = path.rtt();
    long minRtt = stats.minRttNanos();
    stats =
        new PathStats(
            rtt,
            minRtt == 0 || rtt > 0 && rtt < minRtt ? rtt : minRtt,
            path.sent(),
            path.lost(),
            path.deliveryRate(),
            path.cwnd(),
            (int) path.pmtu());
    if (datagramOverheadBytes > 0) {
      maxDatagramBytes = Math.max(stats.mtuBytes() - datagramOverheadBytes - prefixBytes, 1);
    }
  }

  /** The path in use; another than the first after the peer's address has changed. */
  private @Nullable QuicConnectionPathStats path() {
    QuicConnectionPathStats path = path(activePath);
    if (path != null && path.active()) {
      return path;
    }
    QuicConnectionStats all = channel.collectStats().getNow();
    long paths = all == null ? 0 : all.pathsCount();
    for (int i = 0; i < paths; i++) {
      QuicConnectionPathStats other = path(i);
      if (other != null && other.active()) {
        activePath = i;
        return other;
      }
    }
    return path;
  }

  private @Nullable QuicConnectionPathStats path(int index) {
    Future<QuicConnectionPathStats> future = channel.collectPathStats(index);
    return future.isSuccess() ? future.getNow() : null;
  }

  /** The announcement comes once, before the path is probed; only its overhead stays true. */
  private void datagramsAnnounced(int announcedBytes) {
    maxDatagramBytes = announcedBytes - prefixBytes;
    QuicConnectionPathStats path = path();
    if (path != null && path.pmtu() > announcedBytes) {
      datagramOverheadBytes = (int) path.pmtu() - announcedBytes;
      backlog.maxOverhead(datagramOverheadBytes);
    }
  }

  private void ended() {
    if (closed) {
      return;
    }
    closed = true;
    open = false;
    cancel(keepAlive);
    cancel(poll);
    CloseReason why = reason;
    if (why == null) {
      why = foundReason();
      reason = why;
    }
    NetworkEvents.closed(remote, why);
    ConnectionHandler last = handler;
    if (last != null) {
      CloseReason given = why;
      call(() -> last.closed(given));
    }
  }

  private CloseReason foundReason() {
    if (peerClose != null) {
      return CloseReasons.ofPeer(peerClose, options.protocol());
    }
    if (channel.isTimedOut()) {
      return new CloseReason(Kind.TIMED_OUT, 0, "nothing arrived for " + idleMillis + " ms");
    }
    return CloseReasons.ofFailure(failure, options.protocol(), options.connectTimeout().toMillis());
  }

  private static void cancel(@Nullable ScheduledFuture<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }

  /** Handles the events of the channel. */
  private final class ChannelEvents extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!(message instanceof ByteBuf datagram)) {
        // A stream: the rest of the pipeline sets it up.
        context.fireChannelRead(message);
        return;
      }
      try {
        if (open && isOfSession(datagram)) {
          call(() -> requireHandler().datagram(view(datagram)));
        }
      } finally {
        datagram.release();
      }
    }

    /** Skips the prefix; returns false for a datagram of no session of this connection. */
    private boolean isOfSession(ByteBuf datagram) {
      for (int i = 0; i < prefixBytes; i++) {
        if (!datagram.isReadable() || datagram.readByte() != 0) {
          return false;
        }
      }
      return datagram.isReadable();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      switch (event) {
        case QuicDatagramExtensionEvent datagrams -> datagramsAnnounced(datagrams.maxLength());
        case QuicConnectionCloseEvent close -> peerClose = close;
        default -> {}
      }
      context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (cause instanceof BufferUnderflowException) {
        // The path became smaller after sendDatagram had checked the size.
        backlog.dropFirst();
        refreshStats();
      } else {
        HeapExhaustion.report(cause);
        failure = cause;
        LOGGER.log(Level.DEBUG, "connection with " + remote, cause);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      ended();
      context.fireChannelInactive();
    }
  }
}
