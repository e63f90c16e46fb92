package io.fieldstone.net.relay;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which object of a relay makes room for another, so that no client occupies all places:
 * the one least recently wanted, if it is idle; else one of the client that has the most, if that
 * has more than the client which asks.
 */
final class Places {

  /** The time after which an object that no client wants blocks of is idle. */
  static final long IDLE_NANOS = 1_000_000_000L;

  /**
   * The bytes of the network's prefix in an IPv6 address. A client chooses the bytes after it
   * itself.
   */
  private static final int IPV6_PREFIX_BYTES = 8;

  private Places() {}

  /**
   * An object that has a place.
   *
   * @param clients those that have it open
   * @param unwantedNanos the time since blocks of it were wanted, or since it was opened
   */
  record Use<T>(T object, Set<String> clients, long unwantedNanos) {}

  /** Returns the name under which the connections of a client are counted together. */
  static String client(InetSocketAddress remote) {
    InetAddress address = remote.getAddress();
    if (address == null) {
      return remote.getHostString();
    }
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(
            address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_PREFIX_BYTES) : bytes);
  }

  /**
   * Returns the object that makes room.
   *
   * @param client the one that asks for another object
   * @return empty if no object is idle and no client exceeds its share
   */
  static <T> Optional<T> victim(Collection<Use<T>> uses, String client) {
    Optional<Use<T>> idle =
        leastWanted(uses.stream().filter(use -> use.unwantedNanos >= IDLE_NANOS).toList());
    if (idle.isPresent()) {
      return idle.map(Use::object);
    }
    Map<String, Integer> counts = new HashMap<>();
    uses.forEach(use -> use.clients.forEach(each -> counts.merge(each, 1, Integer::sum)));
    int own = counts.getOrDefault(client, 0);
    // Objects that several clients share are not those of one.
    List<Use<T>> single = uses.stream().filter(use -> use.clients.size() == 1).toList();
    int most = single.stream().mapToInt(use -> count(use, counts)).max().orElse(0);
    if (most <= own + 1) {
      return Optional.empty();
    }
    return leastWanted(single.stream().filter(use -> count(use, counts) == most).toList())
        .map(Use::object);
  }

  private static int count(Use<?> use, Map<String, Integer> counts) {
    return use.clients.stream().mapToInt(each -> counts.getOrDefault(each, 0)).max().orElse(0);
  }

  private static <T> Optional<Use<T>> leastWanted(List<Use<T>> uses) {
    return uses.stream().max(Comparator.comparingLong(Use::unwantedNanos));
  }
}
