package io.fieldstone.net.impairment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A UDP proxy on loopback that impairs what passes. Clients send to {@link #address}; the link
 * forwards to the server, from one socket per client, and back. All clients share the queue and the
 * rate of a direction.
 *
 * {@snippet :
 * Impairment down = Impairment.NONE.withRate(6_250_000, 250_000).withLoss(Loss.random(0.05));
 * try (ImpairedLink link = ImpairedLink.open(server, Impairment.NONE, down, 1)) {
 *   connect(link.address());
 * }
 * }
 *
 * <p>Random decisions come from the seed and the order of arriving packets. One thread does all
 * work. Methods are thread-safe.
 */
public final class ImpairedLink implements AutoCloseable {
  private static final int MAX_PACKET_BYTES = 65_535;
  private static final int SOCKET_BUFFER_BYTES = 4 << 20;
  private static final int PACKETS_PER_TURN = 64;
  private static final long SELECT_NANOS = 2_000_000;

  private final InetSocketAddress server;
  private final InetSocketAddress address;
  private final Selector selector;
  private final DatagramChannel front;
  private final Map<InetSocketAddress, Client> clients = new HashMap<>();
  private final Direction<Client> up;
  private final Direction<Client> down;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_PACKET_BYTES);
  private final Thread thread;

  /** The sockets that clients had before their addresses changed. */
  private final List<DatagramChannel> retired = new ArrayList<>();

  private volatile boolean changesAddresses;

  /** A client's address, and the socket that stands for it at the server. */
  private record Client(InetSocketAddress address, DatagramChannel back) {}

  private ImpairedLink(InetSocketAddress server, Impairment up, Impairment down, long seed)
      throws IOException {
    this.server = server;
    this.up = new Direction<>(up, Direction.UDP_HEADER_BYTES, seed);
    this.down = new Direction<>(down, Direction.UDP_HEADER_BYTES, ~seed);
    this.selector = Selector.open();
    this.front = open();
    this.address = (InetSocketAddress) front.getLocalAddress();
    this.thread = Thread.ofPlatform().daemon().name("impaired-link").unstarted(this::run);
  }

  /**
   * Opens a link on a free port of the loopback address.
   *
   * @param server where packets of clients go
   * @param up what happens to packets of clients
   * @param down what happens to packets of the server
   * @param seed of all random decisions
   * @throws UnknownHostException if the server is an unresolved address of an unknown host
   */
  public static ImpairedLink open(
      InetSocketAddress server, Impairment up, Impairment down, long seed) throws IOException {
    if (server.isUnresolved()) {
      InetSocketAddress resolved = new InetSocketAddress(server.getHostString(), server.getPort());
      if (resolved.isUnresolved()) {
        throw new UnknownHostException("unknown host: " + server.getHostString());
      }
      return open(resolved, up, down, seed);
    }
    ImpairedLink link = new ImpairedLink(server, up, down, seed);
    link.thread.start();
    return link;
  }

  /** Where clients send to. */
  public InetSocketAddress address() {
    return address;
  }

  /** Changes both directions for the packets that arrive from now on. */
  public void impair(Impairment upwards, Impairment downwards) {
    up.impair(upwards);
    down.impair(downwards);
  }

  /**
   * Gives all clients new addresses at the server, as a router does that has forgotten them. What
   * the server sends to the old ones is lost.
   */
  public void changeAddresses() {
    changesAddresses = true;
    selector.wakeup();
  }

  private void retireClients() {
    changesAddresses = false;
    for (Client client : clients.values()) {
      client.back().keyFor(selector).cancel();
      retired.add(client.back());
    }
    clients.clear();
  }

  /** Returns the counts of the packets of clients. */
  public LinkCounts up() {
    return up.counts();
  }

  /** Returns the counts of the packets of the server. */
  public LinkCounts down() {
    return down.counts();
  }

  /** Stops to forward; what waits is dropped. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private DatagramChannel open() throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
    channel.configureBlocking(false);
    return channel;
  }

  private void run() {
    try {
      front.register(selector, SelectionKey.OP_READ);
      while (!Thread.interrupted()) {
        await();
        if (changesAddresses) {
          retireClients();
        }
        for (SelectionKey key : selector.selectedKeys()) {
          receive((DatagramChannel) key.channel(), (Client) key.attachment());
        }
        selector.selectedKeys().clear();
        send();
      }
    } catch (ClosedChannelException e) {
      // An interrupt closes the channel that is in use.
    } catch (IOException | UncheckedIOException e) {
      System.getLogger(ImpairedLink.class.getName()).log(Level.WARNING, "the link failed", e);
    } finally {
      closeAll();
    }
  }

  /** Waits for a packet, or until one has to leave: precisely, as a selector waits in ms. */
  private void await() throws IOException {
    long next = Math.min(up.nextNanos(), down.nextNanos());
    long left = next == Long.MAX_VALUE ? Long.MAX_VALUE : next - System.nanoTime();
    if (left <= 0) {
      selector.selectNow();
    } else if (left <= SELECT_NANOS) {
      if (selector.selectNow() == 0) {
        LockSupport.parkNanos(Math.min(left, 100_000));
        selector.selectNow();
      }
    } else {
      selector.select(left == Long.MAX_VALUE ? 0 : (left - SELECT_NANOS) / 1_000_000 + 1);
    }
  }

  private void receive(DatagramChannel channel, @Nullable Client client) throws IOException {
    for (int i = 0; i < PACKETS_PER_TURN; i++) {
      buffer.clear();
      InetSocketAddress source = (InetSocketAddress) channel.receive(buffer);
      if (source == null) {
        return;
      }
      buffer.flip();
      long now = System.nanoTime();
      if (client == null) {
        up.offer(buffer, clientOf(source), now);
      } else {
        down.offer(buffer, client, now);
      }
    }
  }

  private Client clientOf(InetSocketAddress source) throws IOException {
    Client known = clients.get(source);
    if (known != null) {
      return known;
    }
    Client client = new Client(source, open());
    client.back().register(selector, SelectionKey.OP_READ, client);
    clients.put(source, client);
    return client;
  }

  private void send() throws IOException {
    long now = System.nanoTime();
    for (var packet = up.poll(now); packet != null; packet = up.poll(now)) {
      packet.target().back().send(packet.bytes(), server);
    }
    for (var packet = down.poll(now); packet != null; packet = down.poll(now)) {
      front.send(packet.bytes(), packet.target().address());
    }
  }

  private void closeAll() {
    try {
      front.close();
      for (Client client : clients.values()) {
        client.back().close();
      }
      for (DatagramChannel channel : retired) {
        channel.close();
      }
      selector.close();
    } catch (IOException e) {
      System.getLogger(ImpairedLink.class.getName()).log(Level.DEBUG, "close", e);
    }
  }
}
