package io.fieldstone.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends objects of this library to the receiver for browsers, which runs in node: packets are lost,
 * and wrong.
 */
class ReceiverTest {

  private static final int MAX_TURNS = 5_000;
  private static final int PACKETS_PER_TURN = 40;
  private static final int MAX_PACKET_BYTES = 8_192;

  /** Whether the peer computes with WebAssembly, and what it fetches. */
  record Case(boolean isWasm, GenerationShape shape, int bytes) {}

  static Stream<Case> cases() {
    Code systematic = new Code.Systematic();
    return Stream.of(true, false)
        .flatMap(isWasm ->
            Stream.of(
                new Case(
                    isWasm, new GenerationShape(Gf256.DEFAULT, systematic, 64, 1152), 1_000_003),
                new Case(
                    isWasm, new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 17, 100), 20_000),
                new Case(
                    isWasm,
                    new GenerationShape(Gf256.of(0x11B), new Code.Sparse(50), 70, 33),
                    30_001),
                new Case(
                    isWasm,
                    new GenerationShape(Gf256.DEFAULT, new Code.Pipeline(0.25), 9, 65),
                    9_999),
                new Case(
                    isWasm,
                    new GenerationShape(Gf256.DEFAULT, new Code.Cauchy(), 100, 200),
                    99_999),
                new Case(isWasm, new GenerationShape(Gf256.DEFAULT, systematic, 1, 1), 3),
                new Case(isWasm, new GenerationShape(Gf256.DEFAULT, systematic, 64, 1152), 0)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void receivesAnObjectFromThreeServersAtFivePercentLoss(Case each) throws Exception {
    Random random = new Random(7);
    try (Transfer transfer = new Transfer(each, 3, random)) {
      assertThat(transfer.run((_, _) -> random.nextInt(20) > 0)).isEqualTo(transfer.digest());
      assertThat(transfer.convicted).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void convictsTheSenderOfWrongBlocksAndNoOther(Case each) throws Exception {
    Random random = new Random(8);
    try (Transfer transfer = new Transfer(each, 3, random)) {
      byte[] digest =
          transfer.run((sender, packet) -> {
            if (sender == 1) {
              packet[packet.length - 1] ^= (byte) (random.nextInt(10) == 0 ? 1 : 0);
            }
            return random.nextInt(20) > 0;
          });
      assertThat(digest).isEqualTo(transfer.digest());
      assertThat(transfer.convicted).isSubsetOf(1);
      assertThat(transfer.convicted).hasSize(each.bytes() > 3 ? 1 : transfer.convicted.size());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void goesOnWithoutServersThatFallSilent(Case each) throws Exception {
    Random random = new Random(9);
    try (Transfer transfer = new Transfer(each, 3, random)) {
      int[] sent = new int[3];
      byte[] digest =
          transfer.run(
              (sender, _) -> sent[sender]++ < (sender == 0 ? Integer.MAX_VALUE : 60 * sender));
      assertThat(digest).isEqualTo(transfer.digest());
    }
  }

  /** An object on its way from some senders to a peer in node. */
  private static final class Transfer implements AutoCloseable {
    final List<Integer> convicted = new ArrayList<>();
    private final byte[] content;
    private final Engine engine = Engine.open("cpu");
    private final GenerationCache cache = new GenerationCache(engine, 1 << 26);
    private final List<ObjectSender> senders = new ArrayList<>();
    private final List<SourceObject> objects = new ArrayList<>();
    private final NodePeer peer = NodePeer.start("src/test/js/peer.mjs");

    Transfer(Case each, int count, Random random) throws IOException {
      content = new byte[each.bytes()];
      random.nextBytes(content);
      MemoryObject object = MemoryObject.of(each.shape(), MemorySegment.ofArray(content));
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(head);
      out.write(each.isWasm() ? 1 : 0);
      out.write(count);
      for (int i = 0; i < count; i++) {
        long seed = random.nextLong();
        out.writeLong(seed);
        SourceObject source = cache.open(object.manifest(), seed, object);
        objects.add(source);
        senders.add(new ObjectSender(source, i));
      }
      byte[] manifest = object.manifest().toBytes();
      out.write(manifest.length);
      out.write(manifest);
      for (Sha256 hash : object.hashes().all()) {
        ByteBuffer bytes = ByteBuffer.allocate(Sha256.BYTES);
        hash.writeTo(bytes);
        out.write(bytes.array());
      }
      peer.send('H', head.toByteArray());
    }

    byte[] digest() {
      ByteBuffer bytes = ByteBuffer.allocate(Sha256.BYTES);
      Sha256.hash(ByteBuffer.wrap(content)).writeTo(bytes);
      return bytes.array();
    }

    /** Sends until the peer has the object; returns the digest of what it has. */
    byte[] run(BiPredicate<Integer, byte[]> arrives) throws Exception {
      byte[] buffer = new byte[MAX_PACKET_BYTES];
      for (int turn = 0; turn < MAX_TURNS; turn++) {
        peer.send('T', new byte[0]);
        for (NodePeer.Frame frame = peer.receive(); frame.kind() != 'T'; frame = peer.receive()) {
          switch (frame.kind()) {
            case 'D' -> {
              return frame.body();
            }
            case 'C' -> convicted.add((int) frame.body()[0]);
            default ->
                senders
                    .get(frame.body()[0])
                    .onReport(MemorySegment.ofArray(frame.body()).asSlice(1));
          }
        }
        for (int i = 0; i < senders.size(); i++) {
          ObjectSender sender = senders.get(i);
          for (int n = 0; n < PACKETS_PER_TURN && sender.hasNext(); n++) {
            byte[] packet = new byte[1 + sender.next(MemorySegment.ofArray(buffer))];
            System.arraycopy(buffer, 0, packet, 1, packet.length - 1);
            packet[0] = (byte) i;
            if (arrives.test(i, packet)) {
              peer.send('P', packet);
            }
          }
        }
      }
      throw new AssertionError("not complete after " + MAX_TURNS + " turns");
    }

    @Override
    public void close() {
      peer.close();
      senders.forEach(ObjectSender::close);
      objects.forEach(SourceObject::close);
      cache.close();
      engine.close();
    }
  }
}
