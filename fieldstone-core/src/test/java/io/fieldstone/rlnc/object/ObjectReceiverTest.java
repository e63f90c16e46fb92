package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObjectReceiverTest {

  private static final int N = 8;
  private static final int K = 16;

  private final Engine engine = Engine.open("cpu:scalar");
  private final GenerationCache cache = new GenerationCache(engine, 1 << 20);
  private final TestObject object = TestObject.random(new Random(4), 6 * N * K - 5, N, K);
  private final TestObject.Store store = object.store();
  private final List<String> events = new ArrayList<>();
  private final ReceiverListener listener =
      new ReceiverListener() {
        @Override
        public void sourceVerified(int generation, int position, MemorySegment block) {
          int at = (generation * N + position) * K;
          assertThat(block.asByteBuffer())
              .isEqualTo(
                  ByteBuffer.wrap(java.util.Arrays.copyOfRange(object.content(), at, at + K)));
          events.add("source %d.%d".formatted(generation, position));
        }

        @Override
        public void convicted(Conviction conviction) {
          events.add(conviction.evidence() + " " + conviction.generation());
        }
      };

  @AfterEach
  void close() {
    cache.close();
    engine.close();
  }

  private ObjectReceiver receiver(ReceiverOptions options, BitSet verified) {
    return new ObjectReceiver(engine, object.hashes(), verified, options, store, listener);
  }

  private ObjectSender sender(long seed) {
    return new ObjectSender(cache.open(object.manifest(), seed, object), 3);
  }

  /** Reports and delivers every packet, and returns the number of packets. */
  private static int exchange(ObjectReceiver receiver, int number, ObjectSender sender)
      throws IOException, MalformedDataException {
    byte[] report = new byte[ObjectReceiver.MIN_REPORT_BYTES + 100];
    byte[] packet = new byte[sender.maxPacketBytes()];
    int bytes = receiver.report(number, 0, report);
    sender.onReport(java.util.Arrays.copyOf(report, bytes));
    int packets = 0;
    while (sender.hasNext()) {
      bytes = sender.next(packet);
      receiver.receive(number, java.util.Arrays.copyOf(packet, bytes));
      packets++;
    }
    return packets;
  }

  @Test
  void resumesFromWhatItsStateSays() throws Exception {
    BitSet verified;
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      exchange(receiver, number, sender);
      ResumeState state = ResumeState.parse(receiver.state().toBytes());
      assertThat(state.manifest().id()).isEqualTo(object.manifest().id());
      verified = state.verified();
      assertThat(verified.cardinality()).isEqualTo(1);
    }
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, verified);
        ObjectSender sender = sender(2)) {
      int number = receiver.addSender(2, SenderKind.ORIGIN, 3);
      while (!receiver.isComplete()) {
        exchange(receiver, number, sender);
      }
      // The store fails if a generation comes twice.
      assertThat(store.isRight()).isTrue();
    }
  }

  @Test
  void aDamagedStateIsRejected() {
    byte[] state = new ResumeState(object.manifest(), new BitSet()).toBytes();
    for (int bit = 0; bit < 8 * state.length; bit++) {
      byte[] damaged = state.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> ResumeState.parse(damaged))
          .isInstanceOf(MalformedDataException.class);
    }
  }

  @Test
  void handsOutSourceBlocksOnceTheirLeavesVerify() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      byte[] report = new byte[200];
      byte[] packet = new byte[sender.maxPacketBytes()];
      sender.onReport(java.util.Arrays.copyOf(report, receiver.report(number, 0, report)));
      receiver.receive(number, java.util.Arrays.copyOf(packet, sender.next(packet)));
      assertThat(receiver.setLeaves(0, object.leaves(0))).isTrue();
      receiver.receive(number, java.util.Arrays.copyOf(packet, sender.next(packet)));
      assertThat(events).containsExactly("source 0.0", "source 0.1");
      assertThat(receiver.setLeaves(5, object.leaves(5))).isFalse();
      assertThatThrownBy(() -> receiver.setLeaves(0, object.leaves(1)))
          .isInstanceOf(MalformedDataException.class);
      int bytes = sender.next(packet);
      packet[bytes - 1] ^= 1;
      assertThat(receiver.receive(number, java.util.Arrays.copyOf(packet, bytes)))
          .isEqualTo(Arrival.WRONG);
      assertThat(events).last().isEqualTo("LEAF 0");
      assertThat(receiver.senders()).isZero();
    }
  }

  @Test
  void decodesAndHashesWhereTheCallerWants() throws Exception {
    Deque<GenerationTask> tasks = new ArrayDeque<>();
    try (ObjectReceiver receiver =
            receiver(ReceiverOptions.DEFAULT.withVerifier(tasks::add), new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      exchange(receiver, number, sender);
      GenerationTask task = tasks.remove();
      assertThatThrownBy(() -> receiver.finish(task)).isInstanceOf(IllegalStateException.class);
      assertThat(receiver.verified().isEmpty()).isTrue();
      Thread hasher = new Thread(task);
      hasher.start();
      hasher.join();
      receiver.finish(task);
      receiver.finish(task);
      assertThat(receiver.isVerified(0)).isTrue();
      while (!receiver.isComplete()) {
        exchange(receiver, number, sender);
        while (!tasks.isEmpty()) {
          tasks.peek().run();
          receiver.finish(tasks.remove());
        }
      }
      assertThat(store.isRight()).isTrue();
    }
  }

  @Test
  void onDemandFetchesOnlyWhatIsWanted() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT.onDemand(), new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      assertThat(exchange(receiver, number, sender)).isZero();
      receiver.want(4);
      exchange(receiver, number, sender);
      BitSet four = new BitSet();
      four.set(4);
      assertThat(receiver.verified()).isEqualTo(four);
    }
  }

  @Test
  void sendersAreAskedOnlyForWhatTheyHave() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.RELAY, 3);
      BitSet some = new BitSet();
      some.set(2);
      receiver.setAvailable(number, some);
      exchange(receiver, number, sender);
      exchange(receiver, number, sender);
      assertThat(receiver.verified()).isEqualTo(some);
      receiver.addAvailable(number, 5);
      exchange(receiver, number, sender);
      assertThat(receiver.isVerified(5)).isTrue();
    }
  }

  @Test
  void aSuspectGenerationIsFetchedAgainAndStillDecodes() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      byte[] report = new byte[200];
      byte[] packet = new byte[sender.maxPacketBytes()];
      sender.onReport(java.util.Arrays.copyOf(report, receiver.report(number, 0, report)));
      receiver.receive(number, java.util.Arrays.copyOf(packet, sender.next(packet)));
      receiver.suspect(0);
      receiver.suspect(0);
      assertThat(receiver.generationsRefetched()).isEqualTo(1);
      for (int i = 0; i < 50 && !receiver.isComplete(); i++) {
        exchange(receiver, number, sender);
      }
      assertThat(store.isRight()).isTrue();
      assertThat(events).isEmpty();
    }
  }

  @Test
  void aRelayFetchesAgainWhatItsStoreLost() throws Exception {
    try (ObjectRelay relay =
            new ObjectRelay(
                engine,
                cache,
                object.hashes(),
                new BitSet(),
                RelayMode.VERIFIED,
                5,
                ReceiverOptions.DEFAULT.onDemand(),
                store,
                listener,
                generation -> events.add("available " + generation));
        ObjectSender origin = sender(1);
        ObjectSender down = relay.addSender(3);
        ObjectReceiver receiver =
            new ObjectReceiver(
                engine,
                object.hashes(),
                new BitSet(),
                ReceiverOptions.DEFAULT,
                object.store(),
                ReceiverListener.NONE)) {
      int upstream = relay.receiver().addSender(1, SenderKind.ORIGIN, 3);
      int number = receiver.addSender(5, relay.kind(), 3);
      assertThat(exchange(receiver, number, down)).isZero();
      exchange(relay.receiver(), upstream, origin);
      assertThat(events).containsExactly("available 0");
      assertThat(exchange(receiver, number, down)).isEqualTo(N);
      assertThat(receiver.isVerified(0)).isTrue();
      relay.forget(0);
      assertThat(relay.receiver().isVerified(0)).isFalse();
    }
  }

  @Test
  void aFailingSinkLeavesTheGenerationMissing() throws Exception {
    boolean[] isFull = {true};
    GenerationSink full =
        (generation, bytes) -> {
          if (isFull[0]) {
            throw new IOException("the disk is full");
          }
          store.verified(generation, bytes);
        };
    try (ObjectReceiver receiver =
            new ObjectReceiver(
                engine, object.hashes(), new BitSet(), ReceiverOptions.DEFAULT, full, listener);
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      assertThatThrownBy(() -> exchange(receiver, number, sender))
          .isInstanceOf(IOException.class)
          .hasMessage("the disk is full");
      assertThat(receiver.missing().cardinality()).isEqualTo(6);
      isFull[0] = false;
      for (int i = 0; i < 50 && !receiver.isComplete(); i++) {
        exchange(receiver, number, sender);
      }
      assertThat(store.isRight()).isTrue();
    }
  }

  @Test
  void senderNeverRepeatsACodedBlockAndSendsSourceBlocksOnce() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      Set<ByteBuffer> seen = new HashSet<>();
      Random random = new Random(3);
      byte[] report = new byte[200];
      byte[] packet = new byte[sender.maxPacketBytes()];
      long packets = 0;
      while (!receiver.isComplete()) {
        int bytes = receiver.report(number, 0, report);
        sender.onReport(java.util.Arrays.copyOf(report, bytes));
        while (sender.hasNext()) {
          byte[] sent = java.util.Arrays.copyOf(packet, sender.next(packet));
          byte[] unnumbered = sent.clone();
          java.util.Arrays.fill(unnumbered, 2, 6, (byte) 0);
          assertThat(seen.add(ByteBuffer.wrap(unnumbered))).isTrue();
          assertThat(sent.length - K).isLessThanOrEqualTo(Packet.MAX_HEADER_BYTES);
          packets++;
          if (random.nextInt(3) > 0) {
            receiver.receive(number, sent);
          }
        }
      }
      assertThat(sender.packetsSent()).isEqualTo(packets);
      assertThat(receiver.packetsReceived()).isLessThanOrEqualTo(6 * N + 2);
    }
  }

  @Test
  void rejectsAnUnverifiedBlockOfASenderThatVerifies() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet())) {
      int origin = receiver.addSender(1, SenderKind.ORIGIN, 3);
      int immediate = receiver.addSender(2, SenderKind.IMMEDIATE, 3);
      byte[] packet = new byte[7 + N + K];
      packet[0] = Packet.EXPLICIT | Packet.UNVERIFIED;
      assertThatThrownBy(() -> receiver.receive(origin, packet))
          .hasMessage("an unverified block from a sender that verifies (at byte 0)");
      assertThat(receiver.receive(immediate, packet)).isEqualTo(Arrival.LATE);
    }
  }

  @Test
  void anImmediateRelayIsRemovedAfterThreePollutedGenerations() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.IMMEDIATE, 3);
      byte[] report = new byte[200];
      byte[] packet = new byte[sender.maxPacketBytes()];
      for (int strike = 1; strike <= ObjectReceiver.MAX_STRIKES; strike++) {
        assertThat(events).isEmpty();
        sender.onReport(java.util.Arrays.copyOf(report, receiver.report(number, 0, report)));
        while (sender.hasNext()) {
          int bytes = sender.next(packet);
          packet[bytes - 1] ^= 1;
          receiver.receive(number, java.util.Arrays.copyOf(packet, bytes));
        }
        assertThat(receiver.generationsRefetched()).isEqualTo(strike);
      }
      assertThat(events).containsExactly("STRIKES 0");
      assertThat(receiver.senders()).isZero();
      assertThat(receiver.verified().isEmpty()).isTrue();
    }
  }

  @Test
  void aPolluterAmongOthersIsConvictedByItsBlocks() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender good = sender(1);
        ObjectSender bad = sender(2)) {
      int one = receiver.addSender(1, SenderKind.ORIGIN, 3);
      int other = receiver.addSender(2, SenderKind.RELAY, 3);
      // Both pass their probation; then they share what is left.
      receiver.setAvailable(one, BitSet.valueOf(new long[] {0b000001}));
      receiver.setAvailable(other, BitSet.valueOf(new long[] {0b000010}));
      exchange(receiver, one, good);
      exchange(receiver, other, bad);
      receiver.setAvailable(one, BitSet.valueOf(new long[] {0b111111}));
      receiver.setAvailable(other, BitSet.valueOf(new long[] {0b111111}));
      assertThat(receiver.verified().cardinality()).isEqualTo(2);
      byte[] report = new byte[200];
      byte[] packet = new byte[bad.maxPacketBytes()];
      for (int round = 0; round < 50 && !receiver.isComplete(); round++) {
        if (receiver.senders() == 2) {
          bad.onReport(java.util.Arrays.copyOf(report, receiver.report(other, 0, report)));
          for (int i = 0; i < 3 && receiver.senders() == 2 && bad.hasNext(); i++) {
            int bytes = bad.next(packet);
            packet[bytes - 1] ^= 1;
            receiver.receive(other, java.util.Arrays.copyOf(packet, bytes));
          }
        }
        exchange(receiver, one, good);
      }
      assertThat(store.isRight()).isTrue();
      assertThat(events).singleElement().asString().startsWith("BLOCK ");
      assertThat(receiver.generationsRefetched()).isEqualTo(1);
    }
  }

  @Test
  void rejectsMisuse() {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet())) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      BitSet tooMany = new BitSet();
      tooMany.set(6);
      assertThatThrownBy(() -> receiver.setAvailable(number, tooMany))
          .hasMessage("generation 6 of 6");
      assertThatThrownBy(() -> receiver(ReceiverOptions.DEFAULT, tooMany))
          .hasMessage("generation 6 of 6");
      assertThatThrownBy(() -> receiver.report(number, 0, new byte[10]))
          .hasMessageStartingWith("10 bytes for a report of at least");
      assertThatThrownBy(() -> receiver.addSender(1, SenderKind.ORIGIN, 1 << 14))
          .hasMessage("alias 16384 is not in 0…16383");
      assertThatThrownBy(() -> receiver.want(6)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(receiver.report(number + 1, 0, new byte[200])).isZero();
    }
  }

  @Test
  void theCacheStaysWithinItsBytes() throws Exception {
    long generationBytes = (long) N * K;
    try (GenerationCache small = new GenerationCache(engine, 4 * generationBytes);
        SourceObject source = small.open(object.manifest(), 1, object);
        ObjectSender sender = new ObjectSender(source, 3);
        ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet())) {
      int number = receiver.addSender(1, SenderKind.ORIGIN, 3);
      Random random = new Random(8);
      byte[] report = new byte[200];
      byte[] packet = new byte[sender.maxPacketBytes()];
      while (!receiver.isComplete()) {
        sender.onReport(java.util.Arrays.copyOf(report, receiver.report(number, 0, report)));
        while (sender.hasNext()) {
          byte[] sent = java.util.Arrays.copyOf(packet, sender.next(packet));
          // One generation in use has source bytes, an encoder and 32 coded blocks of n = 8.
          assertThat(small.bytes()).isLessThanOrEqualTo((4 + 6) * generationBytes);
          if (random.nextBoolean()) {
            receiver.receive(number, sent);
          }
        }
      }
      assertThat(store.isRight()).isTrue();
    }
  }
}
