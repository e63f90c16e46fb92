package io.fieldstone.net.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import java.util.Optional;

/**
 * Finds out why no packet can be sent to an address. Without this check, an address without a route
 * is detected only by a timeout.
 */
public final class Routes {

  private Routes() {}

  /** Returns why the system sends no packet to any of the addresses; empty if it sends to one. */
  public static Optional<String> problem(List<InetSocketAddress> addresses) {
    Optional<String> first = Optional.empty();
    for (InetSocketAddress address : addresses) {
      Optional<String> problem = problem(address);
      if (problem.isEmpty()) {
        return problem;
      }
      first = first.isPresent() ? first : problem;
    }
    return first;
  }

  /** Returns why the system sends no packet to an address; empty if it does. Sends nothing. */
  public static Optional<String> problem(InetSocketAddress address) {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(address);
      return Optional.empty();
    } catch (UnsupportedAddressTypeException _) {
      return Optional.of("cannot be reached: this system has no IPv6");
    } catch (IOException e) {
      return Optional.of("cannot be reached: " + e.getMessage());
    }
  }
}
