package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectTransferTest {

  private static final List<Code> CODES =
      List.of(
          new Code.Systematic(),
          new Code.Dense(),
          Code.Sparse.ofDensity(0.5),
          new Code.Pipeline(0.25));

  @Test
  void oneSenderDeliversEveryCodeOverALossyChannel() throws Exception {
    try (Engine engine = Engine.open("cpu:scalar");
        GenerationCache cache = new GenerationCache(engine, 1 << 20)) {
      for (int seed = 0; seed < 40; seed++) {
        Random random = new Random(seed);
        int n = 1 + random.nextInt(12);
        int k = 1 + random.nextInt(40);
        int length = random.nextInt(10 * n * k);
        TestObject object = TestObject.random(random, length, CODES.get(seed % 4), n, k);
        TestObject.Store store = object.store();
        try (SourceObject source = cache.open(object.manifest(), seed, object);
            ObjectSender sender = new ObjectSender(source, 5);
            ObjectReceiver receiver =
                ObjectReceiver.builder(engine, object.hashes(), store).build()) {
          int number = receiver.addSender(source.seed(), SenderKind.ORIGIN, 5);
          byte[] packet = new byte[sender.maxPacketBytes()];
          byte[] report = new byte[200];
          for (int round = 0; round < 1000 && !receiver.isComplete(); round++) {
            int bytes = receiver.report(number, 0, report);
            sender.onReport(MemorySegment.ofArray(report).asSlice(0, bytes));
            while (sender.hasNext()) {
              int length1 = sender.next(packet);
              if (random.nextInt(5) > 0) {
                receiver.receive(number, MemorySegment.ofArray(packet).asSlice(0, length1));
              }
            }
          }
          assertThat(receiver.isComplete())
              .as(
                  "seed %d n=%d k=%d L=%d sent=%d got=%d inn=%d open=%d",
                  seed,
                  n,
                  k,
                  length,
                  sender.packetsSent(),
                  receiver.packetsReceived(),
                  receiver.packetsInnovative(),
                  receiver.openGenerations())
              .isTrue();
          assertThat(store.isRight()).as("seed %d", seed).isTrue();
        }
      }
      assertThat(cache.bytes()).isZero();
    }
  }
}
