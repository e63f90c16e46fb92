package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Carries datagrams of one peer over UDP, and drops what others send. */
final class PeerExample {

  private PeerExample() {}

  // example begin
  /** Takes a datagram of the peer, which may be damaged. */
  interface Taker {
    void take(ByteBuffer datagram) throws Exception;
  }

  /** A peer at an address. The channel is not connected: a peer that is away is no error. */
  record Peer(DatagramChannel channel, SocketAddress address) {

    void send(ByteBuffer datagram) throws IOException {
      channel.send(datagram, address);
    }

    /** Receives a datagram of anyone; returns false if there is none now. */
    boolean receive(ByteBuffer buffer, Taker taker) throws Exception {
      SocketAddress from = channel.receive(buffer.clear());
      if (address.equals(from)) {
        try {
          taker.take(buffer.flip());
        } catch (MalformedDataException e) {
          // Anyone can send from this address: the datagram is a lost one.
        }
      }
      return from != null;
    }
  }
  // example end
}
