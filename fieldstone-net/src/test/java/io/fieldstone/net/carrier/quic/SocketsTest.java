package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketsTest {

  /** Packets of 4300 bytes were joined to calls of 137,600 bytes, which the kernel refuses. */
  @ParameterizedTest
  @ValueSource(ints = {1200, 1350, 1500, 2048, 4300, 9000, 40_000, 65_507})
  void theKernelTakesThePacketsOfACall(int packetBytes) {
    for (Sockets sockets : Sockets.values()) {
      int packets = sockets.segments(packetBytes).maxNumSegments();
      assertThat(Math.max(1, packets)).isBetween(1, Sockets.MAX_CALL_BYTES / packetBytes);
    }
  }
}
