package io.fieldstone.net.session;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Looks up the hosts of peers, each on a thread of its own, because that may take seconds. */
public final class HostLookup {

  /** The addresses of a host that are tried. */
  private static final int MAX_ADDRESSES = 16;

  private HostLookup() {}

  /**
   * Looks up the host of an address.
   *
   * @param found called on that thread with all its addresses, those of IPv4 and IPv6 in turns;
   *     with none if the host is unknown
   */
  public static void start(InetSocketAddress address, Consumer<List<InetSocketAddress>> found) {
    Thread.ofPlatform()
        .daemon()
        .name("fieldstone-lookup")
        .start(() -> found.accept(lookUp(address)));
  }

  private static List<InetSocketAddress> lookUp(InetSocketAddress address) {
    try {
      return inTurns(List.of(InetAddress.getAllByName(address.getHostString()))).stream()
          .limit(MAX_ADDRESSES)
          .map(each -> new InetSocketAddress(each, address.getPort()))
          .toList();
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  /** Orders addresses so that the families take turns, the first one first (RFC 8305). */
  static List<InetAddress> inTurns(List<InetAddress> addresses) {
    Queue<InetAddress> first = new ArrayDeque<>();
    Queue<InetAddress> second = new ArrayDeque<>();
    for (InetAddress each : addresses) {
      (each.getClass() == addresses.getFirst().getClass() ? first : second).add(each);
    }
    List<InetAddress> ordered = new ArrayList<>();
    while (!first.isEmpty() || !second.isEmpty()) {
      Stream.of(first, second).map(Queue::poll).filter(Objects::nonNull).forEach(ordered::add);
    }
    return ordered;
  }
}
