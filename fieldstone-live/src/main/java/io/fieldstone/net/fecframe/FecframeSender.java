package io.fieldstone.net.fecframe;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.fecframe.FecConfiguration;
import io.fieldstone.rlnc.fecframe.FecPacketSink;
import io.fieldstone.rlnc.fecframe.FecSender;
import io.fieldstone.rlnc.fecframe.FecSenderSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/**
 * Sends ADUs by UDP as FEC source packets, and FEC repair packets with them.
 *
 * {@snippet :
 * FecframeAddresses to = new FecframeAddresses(Map.of(0, sourceAddress), repairAddress);
 * try (FecframeSender sender = FecframeSender.open(engine, configuration, settings, to)) {
 *   sender.send(0, adu);
 * }
 * }
 *
 * <p>A repair packet is at most 11 bytes longer than the largest ADU, and a source packet 4. Choose
 * the symbol size so that both fit the path. A full socket buffer makes {@link #send} wait. For one
 * thread at a time. The caller owns the engine.
 */
public final class FecframeSender implements AutoCloseable {

  private final FecSender sender;
  private final FecframeAddresses addresses;
  private final DatagramChannel channel;
  private final FecPacketSink packets = new Packets();
  private long sourcePackets;
  private long repairPackets;

  private FecframeSender(FecSender sender, FecframeAddresses addresses, DatagramChannel channel) {
    this.sender = sender;
    this.addresses = addresses;
    this.channel = channel;
  }

  /**
   * Opens a socket and a sender whose first ESI is 0.
   *
   * @param engine computes the repair symbols
   * @param configuration what sender and receiver share
   * @param settings windows and rates
   * @param addresses where the packets of each source flow and the repair packets go
   * @throws IllegalArgumentException if a flow of the configuration has no address, or the settings
   *     do not fit the configuration
   * @throws IOException if no socket can be opened
   */
  public static FecframeSender open(
      Engine engine,
      FecConfiguration configuration,
      FecSenderSettings settings,
      FecframeAddresses addresses)
      throws IOException {
    engine.requireOpen();
    addresses.requireFlows(configuration);
    FecSender sender = FecSender.open(engine, configuration, settings);
    try {
      return new FecframeSender(sender, addresses, DatagramChannel.open());
    } catch (IOException e) {
      sender.close();
      throw e;
    }
  }

  /**
   * Sends an ADU, and the repair packets that are due.
   *
   * @param flow the flow of the ADU, one of the configuration
   * @param adu its bytes, at most {@link FecSender#largestAdu}
   * @throws IllegalArgumentException if the flow is unknown, or the ADU too large
   * @throws IOException if the socket fails
   */
  public void send(int flow, MemorySegment adu) throws IOException {
    try {
      sender.send(flow, adu, packets);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Sends a repair packet beyond those of the code rate, for example at the end of a stream.
   *
   * @return false if there is nothing to repair
   * @throws IOException if the socket fails
   */
  public boolean repair() throws IOException {
    try {
      return sender.repair(packets);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the number of source packets sent. */
  public long sourcePackets() {
    return sourcePackets;
  }

  /** Returns the number of repair packets sent. */
  public long repairPackets() {
    return repairPackets;
  }

  /** Closes the socket. */
  @Override
  public void close() throws IOException {
    sender.close();
    channel.close();
  }

  private final class Packets implements FecPacketSink {
    @Override
    public void source(int flow, MemorySegment packet) {
      sourcePackets++;
      transmit(packet, addresses.source(flow));
    }

    @Override
    public void repair(MemorySegment packet) {
      repairPackets++;
      transmit(packet, addresses.repair());
    }

    private void transmit(MemorySegment packet, InetSocketAddress address) {
      try {
        channel.send(packet.asByteBuffer(), address);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
