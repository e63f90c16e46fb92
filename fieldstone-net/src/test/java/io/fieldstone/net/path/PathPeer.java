package io.fieldstone.net.path;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.pacing.FieldstoneController;
import io.fieldstone.net.trust.Identity;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** One side of a connection, as a process of its own: it may be in another network namespace. */
final class PathPeer {
  private PathPeer() {}

  /** Arguments: serve HOST PORT, or receive HOST PORT SETTLE_SECONDS SECONDS. */
  public static void main(String[] args) throws Exception {
    InetSocketAddress address = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
    if (args[0].equals("serve")) {
      serve(address);
    } else {
      receive(address, Long.parseLong(args[3]), Long.parseLong(args[4]));
    }
  }

  private static void serve(InetSocketAddress address) throws Exception {
    try (QuicCarrier carrier =
        QuicCarrier.open(QuicOptions.DEFAULT, Identity.create(Instant.now()))) {
      carrier.listen(
          address, c -> new PacedSender(c, new FieldstoneController(10 * 1200 / 0.02, 16_000)));
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static void receive(InetSocketAddress address, long settleSeconds, long seconds)
      throws Exception {
    try (QuicCarrier carrier = QuicCarrier.openClient(QuicOptions.DEFAULT)) {
      ReportingReceiver receiver = new ReportingReceiver();
      connect(carrier, address, receiver);
      TimeUnit.SECONDS.sleep(settleSeconds);
      long before = receiver.arrived;
      TimeUnit.SECONDS.sleep(seconds);
      long bits = (receiver.arrived - before) * PacedSender.DATAGRAM_BYTES * 8 / seconds;
      System.out.println("ours " + bits);
    }
  }

  /** The server may take a while to start. */
  private static Connection connect(
      QuicCarrier carrier, InetSocketAddress address, ReportingReceiver receiver)
      throws InterruptedException, ExecutionException {
    for (int attempt = 0; ; attempt++) {
      try {
        return carrier.connect(address, _ -> true, receiver).get();
      } catch (ExecutionException e) {
        if (attempt == 10) {
          throw e;
        }
      }
    }
  }
}
