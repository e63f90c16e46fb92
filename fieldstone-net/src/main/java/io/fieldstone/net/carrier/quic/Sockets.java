package io.fieldstone.net.carrier.quic;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.handler.codec.quic.EpollQuicUtils;
import io.netty.handler.codec.quic.SegmentedDatagramPacketAllocator;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;

/** How UDP packets reach the kernel. */
public enum Sockets {
  /** Linux's epoll; one system call sends or receives up to 32 packets. */
  EPOLL {
    @Override
    IoHandlerFactory ioHandlers() {
      return EpollIoHandler.newFactory();
    }

    @Override
    Bootstrap configure(Bootstrap bootstrap, int packetBytes) {
      // UDP_GRO stays off: coalesced packets do not fit buffers of one packet and are lost.
      return bootstrap
          .channel(EpollDatagramChannel.class)
          .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, packetBytes)
          .option(
              ChannelOption.RECVBUF_ALLOCATOR,
              new FixedRecvByteBufAllocator(packetBytes * PACKETS_PER_CALL));
    }

    @Override
    Optional<ChannelOption<Boolean>> sharedAddress() {
      return Optional.of(UnixChannelOption.SO_REUSEPORT);
    }

    @Override
    SegmentedDatagramPacketAllocator segments(int packetBytes) {
      int most = MAX_CALL_BYTES / packetBytes;
      return most < 2
          ? SegmentedDatagramPacketAllocator.NONE
          : EpollQuicUtils.newSegmentedAllocator(Math.min(PACKETS_PER_CALL, most));
    }

    @Override
    void forbidFragments(Channel channel) {
      set(channel, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
      set(channel, IPV6_MTU_DISCOVER, IP_PMTUDISC_PROBE);
    }
  },
  /** The JDK's channels, on every system; one system call per packet. */
  NIO {
    @Override
    IoHandlerFactory ioHandlers() {
      return NioIoHandler.newFactory();
    }

    @Override
    Bootstrap configure(Bootstrap bootstrap, int packetBytes) {
      return bootstrap
          .channel(NioDatagramChannel.class)
          .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(packetBytes));
    }

    @Override
    Optional<ChannelOption<Boolean>> sharedAddress() {
      return Optional.empty();
    }

    @Override
    SegmentedDatagramPacketAllocator segments(int packetBytes) {
      return SegmentedDatagramPacketAllocator.NONE;
    }

    @Override
    void forbidFragments(Channel channel) {
      set(channel, NioChannelOption.of(ExtendedSocketOptions.IP_DONTFRAGMENT), true);
    }
  };

  private static final int PACKETS_PER_CALL = 32;

  /**
   * The kernel takes the packets of one call as one UDP payload and cuts it up; a longer one is
   * refused, and all its packets are lost.
   */
  static final int MAX_CALL_BYTES = 65_507;

  /** Linux's names and numbers: ip(7), ipv6(7). A probe of the path must not be fragmented. */
  private static final ChannelOption<Integer> IP_MTU_DISCOVER =
      new IntegerUnixChannelOption("IP_MTU_DISCOVER", 0, 10);

  private static final ChannelOption<Integer> IPV6_MTU_DISCOVER =
      new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", 41, 23);
  private static final int IP_PMTUDISC_PROBE = 3;

  abstract IoHandlerFactory ioHandlers();

  abstract Bootstrap configure(Bootstrap bootstrap, int packetBytes);

  /**
   * Returns the option by which several sockets have one address, and the kernel sends the packets
   * of each peer to one of them; empty if the system has none.
   */
  abstract Optional<ChannelOption<Boolean>> sharedAddress();

  /**
   * Returns what joins packets for one system call.
   *
   * @param packetBytes the maximum UDP payload of a packet
   */
  abstract SegmentedDatagramPacketAllocator segments(int packetBytes);

  /** Asks the kernel not to fragment packets; a kernel that cannot is no failure. */
  abstract void forbidFragments(Channel channel);

  /** {@link #EPOLL} where the system has it, else {@link #NIO}. */
  public static Sockets best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  private static <T> void set(Channel channel, ChannelOption<T> option, T value) {
    try {
      channel.config().setOption(option, value);
    } catch (ChannelException | UnsupportedOperationException e) {
      System.getLogger(Sockets.class.getName())
          .log(System.Logger.Level.DEBUG, "{0} is not set: {1}", option, e.getMessage());
    }
  }
}
