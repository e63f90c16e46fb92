package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The end of a tunnel to which applications of this host send packets. */
interface TunnelPort extends AutoCloseable {

  /**
   * Begins to pass packets of applications to the tunnel. Called again for each connection.
   *
   * @param tunnel copies the packets; any thread
   */
  void connect(PacketQueue tunnel) throws IOException;

  /**
   * Passes a packet of the tunnel to an application. On the loop; must not wait.
   *
   * @param packet valid during the call
   */
  void packet(MemorySegment packet);

  /** Takes note of the largest packet that the tunnel carries in one piece. On the loop. */
  default void mtu(int bytes) {}

  /** Returns the packets that applications did not take. */
  long dropped();

  @Override
  void close();
}
