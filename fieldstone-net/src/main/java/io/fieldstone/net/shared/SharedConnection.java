package io.fieldstone.net.shared;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.object.Packet;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server for many receivers, each of which has a {@link Channel} that it takes
 * for a connection of its own. One greeting serves all. Answers go to the channel that asked: those
 * to {@link Message.Find} come in the order of the questions, those to {@link Message.Open} name
 * the object, and everything else has the alias of an object, as each packet has.
 *
 * <p>A catalogue needs a connection of its own, because its changes follow without a question.
 *
 * <p>On the loop of the connection, where nothing else is said.
 */
final class SharedConnection implements ConnectionHandler {

  /** The time without any packet after which a new channel gets another connection. */
  private static final long MAX_SILENCE_NANOS = 500_000_000;

  private static final long LISTEN_NANOS = 100_000_000;

  private final CompletableFuture<Connection> connected = new CompletableFuture<>();
  private final Set<Channel> channels = new LinkedHashSet<>();
  private final Map<Integer, Channel> byAlias = new HashMap<>();

  /** The channels that wait for an answer, those that were closed since included. */
  private final Queue<Channel> finds = new ArrayDeque<>();

  private final Map<Sha256, Queue<Channel>> opens = new HashMap<>();

  /** Messages of this connection that it has not accepted, which precede those of channels. */
  private final Deque<MemorySegment> waiting = new ArrayDeque<>();

  private @Nullable Connection connection;

  /** The greeting of the server, once it has arrived. */
  private MemorySegment greeting = MemorySegment.NULL;

  private boolean isGreeted;
  private Message.@Nullable Pacing pacing;
  private long heardPackets;
  private long heardNanos;
  private boolean isListening;

  /** Whether no channel may join any more, because it is closed or nothing arrives. Any thread. */
  private volatile boolean isUseless;

  /** Whether another connection has taken its place, so that the last channel closes it. */
  private volatile boolean isReplaced;

  /** Connects. Called once, by any thread. */
  void connect(Carrier carrier, List<InetSocketAddress> remotes, Predicate<Fingerprint> trusted) {
    CompletableFuture<?> _ =
        carrier
            .connect(remotes, trusted, this)
            .whenComplete((opened, error) -> {
              if (error == null) {
                connected.complete(opened);
              } else {
                isUseless = true;
                connected.completeExceptionally(error);
              }
            });
  }

  /** Returns true if a new channel needs another connection. Any thread. */
  boolean isUseless() {
    return isUseless;
  }

  /** Takes note that no channel will join any more. Any thread. */
  void replace() {
    isReplaced = true;
    CompletableFuture<?> _ = connected.thenAccept(opened -> opened.execute(this::closeIfUnused));
  }

  private void closeIfUnused() {
    if (isReplaced && channels.isEmpty()) {
      connection().close(CloseReason.DONE, "");
    }
  }

  /** Opens a channel, as {@link Carrier#connect} does. Any thread. */
  CompletableFuture<Connection> join(Predicate<Fingerprint> trusted, ConnectionHandler handler) {
    CompletableFuture<Connection> joined = new CompletableFuture<>();
    CompletableFuture<?> _ =
        connected.whenComplete((opened, error) -> {
          if (error != null) {
            joined.completeExceptionally(error);
          } else {
            opened.execute(() -> join(opened, trusted, handler, joined));
          }
        });
    return joined;
  }

  private void join(
      Connection opened,
      Predicate<Fingerprint> trusted,
      ConnectionHandler handler,
      CompletableFuture<Connection> joined) {
    if (isUseless) {
      joined.completeExceptionally(
          failed(opened, CloseReason.Kind.FAILED, "the connection was closed"));
      return;
    }
    if (!opened.remoteFingerprint().filter(trusted).isPresent()) {
      joined.completeExceptionally(failed(opened, CloseReason.Kind.UNTRUSTED, "not trusted"));
      return;
    }
    Channel channel = new Channel(this, opened, handler);
    channels.add(channel);
    listen();
    handler.opened(channel);
    joined.complete(channel);
  }

  private static ConnectFailedException failed(
      Connection opened, CloseReason.Kind kind, String text) {
    return new ConnectFailedException(
        KnownServers.name(opened.remoteAddress()), new CloseReason(kind, 0, text));
  }

  /** Takes note of packets that arrive, while there are channels. */
  private void listen() {
    if (!isListening && !channels.isEmpty()) {
      isListening = true;
      heardNanos = System.nanoTime();
      Cancellable _ = connection().schedule(this::listenAgain, LISTEN_NANOS);
    }
  }

  private void listenAgain() {
    long now = System.nanoTime();
    long packets = connection().packetsReceived();
    if (packets != heardPackets) {
      heardPackets = packets;
      heardNanos = now;
    }
    if (now - heardNanos > MAX_SILENCE_NANOS) {
      isUseless = true;
    }
    if (channels.isEmpty()) {
      isListening = false;
    } else {
      Cancellable _ = connection().schedule(this::listenAgain, LISTEN_NANOS);
    }
  }

  private Connection connection() {
    Connection opened = connection;
    if (opened == null) {
      throw new IllegalStateException("not open");
    }
    return opened;
  }

  // What channels send

  /** Sends a message of a channel; returns false if it is not accepted now. */
  boolean send(Channel channel, MemorySegment bytes) {
    Message message;
    try {
      message = MessageCodec.parse(bytes);
    } catch (MalformedMessageException e) {
      throw new IllegalArgumentException(e);
    }
    if (message instanceof Message.Hello) {
      return greet(channel, bytes);
    }
    if (message.equals(pacing)) {
      return true;
    }
    if (!sendWaiting() || !connection().sendControl(bytes)) {
      return false;
    }
    switch (message) {
      case Message.Find _ -> finds.add(channel);
      case Message.Open open -> expectOpen(open.id(), channel);
      case Message.Pacing sent -> pacing = sent;
      default -> {}
    }
    return true;
  }

  /** Greets the server for the first channel, and answers the greetings of others. */
  private boolean greet(Channel channel, MemorySegment bytes) {
    if (!isGreeted) {
      isGreeted = connection().sendControl(bytes);
      return isGreeted;
    }
    if (greeting.byteSize() > 0) {
      // A turn later, as an answer comes.
      connection().execute(() -> channel.control(greeting));
    }
    return true;
  }

  private void expectOpen(Sha256 id, Channel channel) {
    opens.computeIfAbsent(id, _ -> new ArrayDeque<>()).add(channel);
  }

  /** Sends the messages of this connection that wait; returns true if none does any more. */
  private boolean sendWaiting() {
    while (!waiting.isEmpty() && connection().sendControl(waiting.getFirst())) {
      waiting.removeFirst();
    }
    return waiting.isEmpty();
  }

  private void closeObject(int alias) {
    waiting.add(MessageCodec.write(new Message.Close(alias)));
    boolean _ = sendWaiting();
  }

  /** Forgets a channel that closes; its object is closed at the server. */
  void leave(Channel channel) {
    if (channels.remove(channel) && channel.alias != Channel.NO_ALIAS) {
      byAlias.remove(channel.alias);
      closeObject(channel.alias);
    }
    closeIfUnused();
  }

  // What arrives

  @Override
  public void opened(Connection opened) {
    connection = opened;
  }

  @Override
  public void control(MemorySegment bytes) {
    try {
      route(MessageCodec.parse(bytes), bytes);
    } catch (MalformedMessageException e) {
      connection().close(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private void route(Message message, MemorySegment bytes) throws MalformedMessageException {
    switch (message) {
      case Message.Hello _ -> {
        greeting = MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)).asReadOnly();
        List.copyOf(channels).forEach(each -> each.control(greeting));
      }
      case Message.Found found -> {
        Channel channel = finds.poll();
        if (channel == null) {
          throw new MalformedMessageException("an answer that nobody asked for");
        }
        List<Sha256> ids = found.entries().stream().map(CatalogueEntry::id).distinct().toList();
        if (ids.size() == 1) {
          expectOpen(ids.getFirst(), channel);
        }
        channel.control(bytes);
      }
      case Message.Opened opened -> opened(opened, bytes);
      case Message.Refused refused -> {
        Channel channel = awaited(refused.id());
        if (channel != null) {
          channel.control(bytes);
        }
      }
      case Message.Hashes part -> deliver(part.alias(), bytes);
      case Message.Leaves part -> deliver(part.alias(), bytes);
      case Message.Ended ended -> {
        Channel channel = byAlias.remove(ended.alias());
        if (channel != null) {
          channel.alias = Channel.NO_ALIAS;
          channel.control(bytes);
        }
      }
      default ->
          throw new MalformedMessageException(
              "a sender sent a " + message.getClass().getSimpleName() + " message");
    }
  }

  private void opened(Message.Opened opened, MemorySegment bytes) {
    Channel channel = awaited(opened.manifest().id());
    if (channel == null || channel.isClosed()) {
      closeObject(opened.alias());
      return;
    }
    channel.alias = opened.alias();
    byAlias.put(opened.alias(), channel);
    channel.control(bytes);
  }

  private @Nullable Channel awaited(Sha256 id) {
    Queue<Channel> queue = opens.get(id);
    if (queue == null) {
      return null;
    }
    Channel first = queue.poll();
    if (queue.isEmpty()) {
      opens.remove(id);
    }
    return first;
  }

  private void deliver(int alias, MemorySegment bytes) {
    Channel channel = byAlias.get(alias);
    if (channel != null) {
      channel.control(bytes);
    }
  }

  @Override
  public void datagram(MemorySegment bytes) {
    try {
      Channel channel = byAlias.get(Packet.alias(bytes));
      if (channel != null) {
        channel.handler().datagram(bytes);
      }
    } catch (MalformedDataException e) {
      connection().close(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void writable() {
    if (sendWaiting()) {
      List.copyOf(channels).forEach(Channel::writable);
    }
  }

  @Override
  public void closed(CloseReason reason) {
    isUseless = true;
    List<Channel> open = List.copyOf(channels);
    channels.clear();
    byAlias.clear();
    open.forEach(channel -> channel.closed(reason));
  }
}
