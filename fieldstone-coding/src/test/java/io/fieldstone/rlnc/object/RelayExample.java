package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.object.PeerExample.Peer;
import java.nio.ByteBuffer;

/** Relays an object from a server to one receiver over UDP, on one thread. */
final class RelayExample {

  private RelayExample() {}

  // example begin
  static void relay(
      Peer server,
      Peer receiver,
      Engine engine,
      GenerationHashes hashes,
      long serverSeed,
      long seed,
      GenerationStore store)
      throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
    server.channel().configureBlocking(false);
    receiver.channel().configureBlocking(false);
    ReceiverOptions options = ReceiverOptions.DEFAULT.withWindowBytes(1 << 19).onDemand();
    try (GenerationCache cache = new GenerationCache(engine, 1 << 24);
        ObjectRelay relay =
            ObjectRelay.builder(engine, cache, hashes, store, seed).options(options).build()) {
      int origin = relay.receiver().addSender(serverSeed, SenderKind.ORIGIN, 0);
      ObjectSender sender = relay.addSender(0);
      while (true) { // until the thread is interrupted
        int _ = relay.receiver().report(origin, 0, buffer.clear());
        server.send(buffer.flip());
        Thread.sleep(5);
        while (server.receive(buffer, packet -> relay.receiver().receive(origin, packet))) {}
        while (receiver.receive(buffer, sender::onReport)) {}
        while (sender.hasNext()) {
          int _ = sender.next(buffer.clear());
          receiver.send(buffer.flip());
        }
      }
    }
  }
  // example end
}
