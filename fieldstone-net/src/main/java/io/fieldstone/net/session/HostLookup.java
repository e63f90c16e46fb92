package io.fieldstone.net.session;

import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** Looks up the hosts of peers, each on a thread of its own, because that may take seconds. */
public final class HostLookup {

  private HostLookup() {}

  /**
   * Looks up the host of an address.
   *
   * @param found called on that thread with the address, which is unresolved if the host is unknown
   */
  public static void start(InetSocketAddress address, Consumer<InetSocketAddress> found) {
    Thread.ofPlatform()
        .daemon()
        .name("fieldstone-lookup")
        .start(
            () -> found.accept(new InetSocketAddress(address.getHostString(), address.getPort())));
  }
}
