package io.fieldstone.net.carrier.quic;

import io.netty.handler.codec.quic.QuicCongestionControlAlgorithm;

/** The congestion control of the transport, below any pacing of the sender. */
public enum CongestionControl {
  /**
   * BBR version 2 of quiche. Loss of more than some per cent shrinks its window, though never below
   * the initial one: see {@link QuicOptions#windowPackets}.
   */
  BBR(QuicCongestionControlAlgorithm.BBR),
  /** CUBIC (RFC 9438): any loss slows it. */
  CUBIC(QuicCongestionControlAlgorithm.CUBIC);

  private final QuicCongestionControlAlgorithm algorithm;

  CongestionControl(QuicCongestionControlAlgorithm algorithm) {
    this.algorithm = algorithm;
  }

  QuicCongestionControlAlgorithm algorithm() {
    return algorithm;
  }
}
