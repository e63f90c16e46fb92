package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.BitSet;

/** Relays an object from a server to one receiver over UDP, on one thread. */
final class RelayExample {

  private RelayExample() {}

  // example begin
  static void relay(
      DatagramChannel server,
      DatagramChannel receivers,
      Engine engine,
      GenerationHashes hashes,
      long serverSeed,
      long seed,
      GenerationStore store)
      throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
    server.configureBlocking(false);
    receivers.configureBlocking(false);
    ReceiverOptions options = ReceiverOptions.DEFAULT.withWindowBytes(1 << 19).onDemand();
    try (GenerationCache cache = new GenerationCache(engine, 1 << 24);
        ObjectRelay relay =
            new ObjectRelay(
                engine,
                cache,
                hashes,
                new BitSet(),
                RelayMode.VERIFIED,
                seed,
                options,
                store,
                ReceiverListener.NONE,
                generation -> {})) {
      int origin = relay.receiver().addSender(serverSeed, SenderKind.ORIGIN, 0);
      ObjectSender sender = relay.addSender(0);
      while (true) { // until the thread is interrupted
        int report = relay.receiver().report(origin, 0, buffer.clear());
        server.write(buffer.limit(report));
        Thread.sleep(5);
        while (server.read(buffer.clear()) > 0) {
          relay.receiver().receive(origin, buffer.flip());
        }
        SocketAddress receiver = receivers.receive(buffer.clear());
        if (receiver != null) {
          sender.onReport(buffer.flip());
          while (sender.hasNext()) {
            int bytes = sender.next(buffer.clear());
            receivers.send(buffer.limit(bytes), receiver);
          }
        }
      }
    }
  }
  // example end
}
