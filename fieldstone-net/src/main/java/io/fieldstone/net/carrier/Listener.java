package io.fieldstone.net.carrier;

import java.net.InetSocketAddress;

/** A socket that accepts connections. Thread-safe. */
public interface Listener extends AutoCloseable {
  /** The address that is bound, with the port that was chosen. */
  InetSocketAddress localAddress();

  /** Stops to listen and closes the connections that were accepted. Does nothing if closed. */
  @Override
  void close();
}
