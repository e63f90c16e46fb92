package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/** Transfers an object over UDP that loses packets: both ends, one thread each. */
final class LossyTransferExample {

  private LossyTransferExample() {}

  // example begin
  static void serve(DatagramChannel channel, SourceObject object, BooleanSupplier isLost)
      throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
    try (ObjectSender sender = new ObjectSender(object, 0)) {
      while (true) { // until the thread is interrupted
        SocketAddress receiver = channel.receive(buffer.clear());
        sender.onReport(buffer.flip());
        while (sender.hasNext()) {
          int bytes = sender.next(buffer.clear());
          if (!isLost.getAsBoolean()) {
            channel.send(buffer.limit(bytes), receiver);
          }
        }
      }
    }
  }

  static MemorySegment fetch(
      DatagramChannel channel, Engine engine, GenerationHashes hashes, long seed, SenderKind kind)
      throws Exception {
    MemorySegment object = MemorySegment.ofArray(new byte[(int) hashes.manifest().length()]);
    GenerationSink sink =
        (g, bytes) -> object.asSlice(g * hashes.manifest().shape().bytes()).copyFrom(bytes);
    ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
    ReceiverOptions options = ReceiverOptions.DEFAULT.withWindowBytes(1 << 19);
    try (ObjectReceiver receiver =
        new ObjectReceiver(engine, hashes, new BitSet(), options, sink, ReceiverListener.NONE)) {
      int sender = receiver.addSender(seed, kind, 0);
      channel.configureBlocking(false);
      while (!receiver.isComplete()) {
        channel.write(buffer.limit(receiver.report(sender, 0, buffer.clear())));
        Thread.sleep(5);
        while (channel.read(buffer.clear()) > 0) {
          receiver.receive(sender, buffer.flip());
        }
      }
    }
    return object;
  }
  // example end
}
