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

  /** A window of one generation. */
  private static final ReceiverOptions ONE_GENERATION =
      ReceiverOptions.DEFAULT.withWindowBytes(2L * N * K + N * N);

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
    return ObjectReceiver.builder(engine, object.hashes(), store)
        .verified(verified)
        .options(options)
        .listener(listener)
        .build();
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
  void moreArrivedThanWasSentIsMalformed() throws Exception {
    try (ObjectReceiver receiver = receiver(ONE_GENERATION, new BitSet());
        ObjectSender sender = sender(1)) {
      byte[] report = new byte[ObjectReceiver.MIN_REPORT_BYTES + 100];
      int bytes = receiver.report(receiver.addSender(1, SenderKind.ORIGIN, 3), 0, report);
      report[5] = 1; // packets arrived; 0 were sent
      assertThatThrownBy(() -> sender.onReport(java.util.Arrays.copyOf(report, bytes)))
          .isInstanceOf(MalformedDataException.class);
    }
  }

  @Test
  void resumesFromWhatItsStateSays() throws Exception {
    BitSet verified;
    try (ObjectReceiver receiver = receiver(ONE_GENERATION, new BitSet());
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
    try (ObjectReceiver receiver = receiver(ONE_GENERATION, new BitSet());
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
    try (ObjectReceiver receiver = receiver(ONE_GENERATION.withVerifier(tasks::add), new BitSet());
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
            ObjectRelay.builder(engine, cache, object.hashes(), store, 5)
                .options(ONE_GENERATION.onDemand())
                .listener(listener)
                .availability(generation -> events.add("available " + generation))
                .build();
        ObjectSender origin = sender(1);
        ObjectSender down = relay.addSender(3);
        ObjectReceiver receiver =
            ObjectReceiver.builder(engine, object.hashes(), object.store())
                .options(ONE_GENERATION)
                .build()) {
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
            ObjectReceiver.builder(engine, object.hashes(), full).listener(listener).build();
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
      for (int strike = 1; strike <= ObjectReceiver.MAX_STRIKES; strike++) {
        assertThat(events).isEmpty();
        pollute(receiver, number, sender);
        assertThat(receiver.generationsRefetched()).isEqualTo(strike);
      }
      assertThat(events).containsExactly("STRIKES 0");
      assertThat(receiver.senders()).isZero();
      assertThat(receiver.verified().isEmpty()).isTrue();
    }
  }

  /** Reports, and delivers every packet with a wrong bit. */
  private static void pollute(ObjectReceiver receiver, int number, ObjectSender sender)
      throws IOException, MalformedDataException {
    byte[] report = new byte[200];
    sender.onReport(java.util.Arrays.copyOf(report, receiver.report(number, 0, report)));
    byte[] packet = new byte[sender.maxPacketBytes()];
    while (sender.hasNext()) {
      int bytes = sender.next(packet);
      packet[bytes - 1] ^= 1;
      receiver.receive(number, java.util.Arrays.copyOf(packet, bytes));
    }
  }

  /** Several wrong source blocks of a generation are one strike, as its other wrong blocks are. */
  @Test
  void wrongSourceBlocksOfAnImmediateRelayAreOneStrikeForAGeneration() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      int number = receiver.addSender(1, SenderKind.IMMEDIATE, 3);
      int sequence = exchange(receiver, number, sender);
      receiver.report(number, 0, new byte[200]); // its first generation is right, so all are open
      VarintWriter writer = new VarintWriter();
      for (int generation = 1; generation <= ObjectReceiver.MAX_STRIKES; generation++) {
        receiver.setLeaves(generation, object.leaves(generation));
      }
      int[] wrongIn = {1, 1, 2, 1, 2, 3};
      for (int position = 0; position < wrongIn.length; position++) {
        assertThat(events).isEmpty();
        int generation = wrongIn[position];
        MemorySegment packet = MemorySegment.ofArray(new byte[8 + K]);
        writer.start(packet);
        int kind = Packet.SOURCE | Packet.UNVERIFIED;
        Packet.writeHeader(writer, kind, 3, sequence++, generation);
        writer.writeVarint(position);
        assertThat(receiver.receive(number, packet)).isNotEqualTo(Arrival.INNOVATIVE);
      }
      assertThat(events).containsExactly("STRIKES " + ObjectReceiver.MAX_STRIKES);
      assertThat(receiver.senders()).isZero();
    }
  }

  /** A relay cannot get rid of its strikes. */
  @Test
  void anImmediateRelayThatComesAgainKeepsItsStrikes() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet())) {
      List<Integer> numbers = new ArrayList<>();
      for (int strike = 1; strike <= ObjectReceiver.MAX_STRIKES; strike++) {
        assertThat(events).isEmpty();
        numbers.forEach(receiver::removeSender);
        int number = receiver.addSender(1, SenderKind.IMMEDIATE, 3, numbers);
        numbers.add(number);
        try (ObjectSender sender = sender(1)) {
          pollute(receiver, number, sender);
        }
        assertThat(receiver.generationsRefetched()).isEqualTo(strike);
      }
      assertThat(events).containsExactly("STRIKES 0");
      assertThat(receiver.senders()).isZero();
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

  /** Packets that a sender makes of its reports and that have not arrived. */
  private record Flight(ObjectReceiver receiver, int number, ObjectSender sender) {

    void report() throws MalformedDataException {
      byte[] report = new byte[ObjectReceiver.MIN_REPORT_BYTES + 100];
      int bytes = receiver.report(number, 0, report);
      sender.onReport(java.util.Arrays.copyOf(report, bytes));
    }

    /** Delivers packets until there is none or the sender is convicted; returns their uses. */
    List<Arrival> deliver(int most, int changedBits) throws Exception {
      List<Arrival> arrivals = new ArrayList<>();
      byte[] packet = new byte[sender.maxPacketBytes()];
      while (sender.hasNext() && arrivals.size() < most) {
        int bytes = sender.next(packet);
        packet[bytes - 1] ^= (byte) changedBits;
        arrivals.add(receiver.receive(number, java.util.Arrays.copyOf(packet, bytes)));
      }
      return arrivals;
    }
  }

  private static Flight join(ObjectReceiver receiver, long seed, SenderKind kind, ObjectSender of) {
    return new Flight(receiver, receiver.addSender(seed, kind, 3), of);
  }

  @Test
  void theOnlySenderIsAskedForTheWholeWindowAtOnce() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      Flight only = join(receiver, 1, SenderKind.ORIGIN, sender);
      only.report();
      assertThat(receiver.outstanding(only.number)).isEqualTo(6 * N);
      only.deliver(6 * N, 0);
      assertThat(receiver.isComplete()).isTrue();
      assertThat(store.isRight()).isTrue();
    }
  }

  /** The other sender has nothing to test it with, and nothing to mix. */
  @Test
  void theOnlySenderOfGenerationsIsAskedForAllOfThem() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender good = sender(1);
        ObjectSender late = sender(2)) {
      Flight one = join(receiver, 1, SenderKind.ORIGIN, good);
      Flight other = join(receiver, 2, SenderKind.RELAY, late);
      receiver.setAvailable(other.number, BitSet.valueOf(new long[] {0b100000}));
      one.report();
      assertThat(receiver.outstanding(one.number)).isEqualTo(5 * N);
      assertThat(receiver.outstanding(other.number)).isEqualTo(N);
    }
  }

  @Test
  void twoSendersServeOneGenerationEachBeforeTheyAreMixed() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender good = sender(1);
        ObjectSender late = sender(2)) {
      Flight one = join(receiver, 1, SenderKind.ORIGIN, good);
      Flight other = join(receiver, 2, SenderKind.ORIGIN, late);
      one.report();
      other.report();
      assertThat(receiver.outstanding(one.number)).isEqualTo(N);
      assertThat(receiver.outstanding(other.number)).isEqualTo(N);
      assertThat(receiver.openGenerations()).isEqualTo(2);
    }
  }

  /** Nothing is mixed until the first is verified, so the second cannot hide behind the first. */
  @Test
  void aSecondSenderIsTestedWithAGenerationThatWasAskedOfTheFirst() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender good = sender(1);
        ObjectSender bad = sender(2)) {
      Flight one = join(receiver, 1, SenderKind.ORIGIN, good);
      one.report();
      assertThat(one.deliver(N - 1, 0)).containsOnly(Arrival.INNOVATIVE);
      Flight other = join(receiver, 2, SenderKind.ORIGIN, bad);
      other.report();
      assertThat(receiver.outstanding(one.number)).isEqualTo(4 * N + 1);
      assertThat(receiver.outstanding(other.number)).isEqualTo(N);

      // The last block but one of its only generation; then it is convicted, and loses all.
      assertThat(other.deliver(N - 1, 1)).containsOnly(Arrival.INNOVATIVE);
      assertThat(events).isEmpty();
      other.deliver(1, 1);
      assertThat(events).containsExactly("GENERATION 5");
      assertThat(receiver.senders()).isEqualTo(1);
      while (!receiver.isComplete()) {
        one.report();
        one.deliver(6 * N, 0);
      }
      assertThat(store.isRight()).isTrue();
      assertThat(receiver.generationsRefetched()).isEqualTo(1);
    }
  }

  @Test
  void theOnlySenderIsConvictedByItsFirstGenerationAndLosesAllBlocks() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender bad = sender(1);
        ObjectSender good = sender(2)) {
      Flight one = join(receiver, 1, SenderKind.ORIGIN, bad);
      one.report();
      // All blocks of five generations but the last of each, as reordered packets arrive.
      byte[] packet = new byte[bad.maxPacketBytes()];
      List<byte[]> held = new ArrayList<>();
      for (int at = 0; bad.hasNext(); at++) {
        byte[] changed = java.util.Arrays.copyOf(packet, bad.next(packet));
        changed[changed.length - 1] ^= 1;
        if (at % N == N - 1) {
          held.add(changed);
        } else {
          receiver.receive(one.number, changed);
        }
      }
      assertThat(receiver.receive(one.number, held.getFirst())).isEqualTo(Arrival.INNOVATIVE);
      assertThat(events).containsExactly("GENERATION 0");
      assertThat(receiver.receive(one.number, held.getLast())).isEqualTo(Arrival.LATE);
      Flight two = join(receiver, 2, SenderKind.ORIGIN, good);
      for (int round = 0; round < 20 && !receiver.isComplete(); round++) {
        two.report();
        assertThat(two.deliver(6 * N, 0)).doesNotContain(Arrival.WRONG);
      }
      assertThat(store.isRight()).isTrue();
      assertThat(receiver.generationsRefetched()).isEqualTo(1);
    }
  }

  /** Others then help with what the first, which was alone, has not delivered. */
  @Test
  void aVerifiedGenerationOpensTheOthersOfTheOnlySender() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender slow = sender(1);
        ObjectSender fast = sender(2)) {
      Flight one = join(receiver, 1, SenderKind.ORIGIN, slow);
      one.report();
      Flight two = join(receiver, 2, SenderKind.ORIGIN, fast);
      two.report();
      one.deliver(N, 0);
      two.deliver(N, 0);
      assertThat(receiver.verified().cardinality()).isEqualTo(2);
      for (int round = 0; round < 20 && !receiver.isComplete(); round++) {
        two.report();
        two.deliver(6 * N, 0);
        one.report();
      }
      assertThat(store.isRight()).isTrue();
      assertThat(events).isEmpty();
    }
  }

  /** Else it would be of no use until the window has room. */
  @Test
  void aSenderThatComesWhenTheWindowIsFullIsTestedWithItsLastGeneration() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender good = sender(1);
        ObjectSender late = sender(2)) {
      Flight one = join(receiver, 1, SenderKind.ORIGIN, good);
      one.report();
      one.deliver(N, 0);
      Flight other = join(receiver, 2, SenderKind.ORIGIN, late);
      one.report();
      one.report();
      // What is asked for may be on its way.
      assertThat(receiver.outstanding(other.number)).isZero();
      one.report();
      assertThat(receiver.outstanding(other.number)).isEqualTo(N);
      assertThat(receiver.outstanding(one.number)).isEqualTo(4 * N);
      other.report();
      assertThat(other.deliver(N, 0)).containsOnly(Arrival.INNOVATIVE);
      assertThat(receiver.verified()).isEqualTo(BitSet.valueOf(new long[] {0b100001}));
      other.report();
      assertThat(receiver.outstanding(other.number)).isPositive();
    }
  }

  /** No generation has an immediate relay if they were all asked of the only sender. */
  @Test
  void anImmediateRelayThatComesLaterHelpsWithOpenGenerations() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender origin = sender(1);
        ObjectSender relay = sender(2);
        ObjectSender third = sender(3)) {
      Flight one = join(receiver, 1, SenderKind.ORIGIN, origin);
      one.report();
      Flight two = join(receiver, 2, SenderKind.IMMEDIATE, relay);
      two.report();
      two.deliver(N, 0);
      one.deliver(N, 0);
      assertThat(receiver.verified()).isEqualTo(BitSet.valueOf(new long[] {0b100001}));
      two.report();
      int taken = receiver.outstanding(two.number);
      assertThat(taken).isPositive();
      assertThat(receiver.outstanding(one.number)).isEqualTo(4 * N - taken);
      Flight other = join(receiver, 3, SenderKind.IMMEDIATE, third);
      assertThat(two.deliver(taken, 0)).containsOnly(Arrival.INNOVATIVE);
      for (int round = 0; round < 20 && !receiver.isComplete(); round++) {
        other.report();
        other.deliver(6 * N, 0);
        one.report();
        one.deliver(6 * N, 0);
      }
      assertThat(store.isRight()).isTrue();
      assertThat(events).isEmpty();
    }
  }

  /** It may have little to send yet, and is removed only after three polluted generations. */
  @Test
  void anOnlyImmediateRelayServesOneGenerationFirst() throws Exception {
    try (ObjectReceiver receiver = receiver(ReceiverOptions.DEFAULT, new BitSet());
        ObjectSender sender = sender(1)) {
      Flight only = join(receiver, 1, SenderKind.IMMEDIATE, sender);
      only.report();
      assertThat(receiver.outstanding(only.number)).isEqualTo(N);
      only.deliver(N, 0);
      only.report();
      assertThat(receiver.outstanding(only.number)).isEqualTo(5 * N);
    }
  }
}
