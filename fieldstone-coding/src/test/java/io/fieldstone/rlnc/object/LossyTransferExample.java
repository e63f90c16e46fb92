package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.object.PeerExample.Peer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** Transfers an object over UDP that loses packets: both ends, one thread each. */
final class LossyTransferExample {

  private LossyTransferExample() {}

  // example begin
  static void serve(Peer receiver, SourceObject object, BooleanSupplier isLost) throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
    try (ObjectSender sender = new ObjectSender(object, 0)) {
      while (true) { // until the thread is interrupted
        receiver.receive(buffer, sender::onReport);
        while (sender.hasNext()) {
          int _ = sender.next(buffer.clear());
          if (!isLost.getAsBoolean()) {
            receiver.send(buffer.flip());
          }
        }
      }
    }
  }

  static MemorySegment fetch(
      Peer server, Engine engine, GenerationHashes hashes, long seed, SenderKind kind)
      throws Exception {
    MemorySegment object = MemorySegment.ofArray(new byte[(int) hashes.manifest().length()]);
    GenerationSink sink =
        (g, bytes) -> object.asSlice(g * hashes.manifest().shape().bytes()).copyFrom(bytes);
    ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
    ReceiverOptions options = ReceiverOptions.DEFAULT.withWindowBytes(1 << 19);
    try (ObjectReceiver receiver =
        ObjectReceiver.builder(engine, hashes, sink).options(options).build()) {
      int sender = receiver.addSender(seed, kind, 0);
      server.channel().configureBlocking(false);
      while (!receiver.isComplete()) {
        int _ = receiver.report(sender, 0, buffer.clear());
        server.send(buffer.flip());
        Thread.sleep(5);
        while (server.receive(buffer, packet -> receiver.receive(sender, packet))) {}
      }
    }
    return object;
  }
  // example end
}
