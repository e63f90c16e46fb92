package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortPacketsTest {

  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  @ParameterizedTest
  @CsvSource({"0, false", "2, false", "10, false", "11, true", "1200, true"})
  void shortPacketsAreReleased(int bytes, boolean isPassed) {
    EmbeddedChannel channel = new EmbeddedChannel(new ShortPackets(10));
    DatagramPacket packet = new DatagramPacket(Unpooled.directBuffer().writeZero(bytes), ANY);
    assertThat(channel.writeInbound(packet)).isEqualTo(isPassed);
    assertThat(packet.refCnt()).isEqualTo(isPassed ? 1 : 0);
    channel.finishAndReleaseAll();
  }
}
