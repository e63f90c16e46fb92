package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.Recoder;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockPacketsTest {

  private static final int N = 64;
  private static final int K = 1152;
  private static final long SEED = 9;

  private final Engine engine = Engine.open("cpu:scalar");
  private final byte[] source = new byte[N * K];

  BlockPacketsTest() {
    new Random(1).nextBytes(source);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static GenerationShape shape(Code code) {
    return new GenerationShape(Gf256.DEFAULT, code, N, K);
  }

  @Test
  void blocksOfEveryCodeAndOfARelayRestoreTheGeneration() throws Exception {
    List<Code> codes =
        List.of(
            new Code.Systematic(), new Code.Dense(), new Code.Sparse(128), new Code.Pipeline(1));
    for (Code code : codes) {
      GenerationShape shape = shape(code);
      BlockPackets packets = new BlockPackets(shape, SEED, 5);
      ByteBuffer packet = ByteBuffer.allocate(packets.maxBytes());
      try (Encoder encoder = new Encoder(engine, shape, 70_000, SEED, source);
          Recoder relay = new Recoder(engine, shape, 70_000, 10);
          Decoder direct = new Decoder(engine, shape, 70_000);
          Decoder recoded = new Decoder(engine, shape, 70_000)) {
        while (!direct.isComplete()) {
          CodedBlock block = encoder.next();
          packets.write(block, packet.clear());
          CodedBlock read = packets.read(packet.flip());
          assertThat(packet.hasRemaining()).isFalse();
          assertThat(read.generation()).isEqualTo(70_000);
          assertThat(read.vector()).isEqualTo(block.vector());
          direct.add(read);
          relay.add(read);
        }
        while (!recoded.isComplete()) {
          packets.write(relay.next(), packet.clear());
          recoded.add(packets.read(packet.flip()));
        }
        byte[] decoded = new byte[N * K];
        direct.decode(decoded);
        assertThat(decoded).isEqualTo(source);
        recoded.decode(decoded);
        assertThat(decoded).isEqualTo(source);
      }
    }
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void headersHaveTheSizesThatTheGuideStates() throws Exception {
    GenerationShape shape = shape(new Code.Systematic());
    BlockPackets packets = new BlockPackets(shape, SEED, 0);
    MemorySegment packet = MemorySegment.ofArray(new byte[packets.maxBytes()]);
    try (Encoder encoder = new Encoder(engine, shape, 1000, SEED, source);
        Recoder relay = new Recoder(engine, shape, 1000, 10)) {
      int coded = packets.write(encoder.block(100), packet) - K;
      relay.add(encoder.block(100));
      int recoded = packets.write(relay.next(), packet) - K;

      assertThat(Files.readString(Path.of("../docs/objects.md")))
          .contains(
              "| coded | 64 | %d | %.1f %% |".formatted(coded, 100.0 * coded / K),
              "| recoded | 128 | %d | %.1f %% |".formatted(recoded, 100.0 * recoded / K));
    }
  }

  @Test
  void misuseIsRefused() {
    GenerationShape shape = shape(new Code.Systematic());
    BlockPackets packets = new BlockPackets(shape, SEED, 0);
    MemorySegment packet = MemorySegment.ofArray(new byte[packets.maxBytes()]);
    MemorySegment payload = MemorySegment.ofArray(new byte[K]);
    CodingVector vector = new CodingVector.Seeded(SEED, N);

    assertThatThrownBy(() -> new BlockPackets(shape, SEED, Packet.MAX_ALIASES))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> packets.write(new CodedBlock(0, vector, payload), packet.asSlice(1)))
        .hasMessage("1230 bytes for a packet of up to 1231");
    assertThatThrownBy(() -> packets.write(new CodedBlock(0, vector, payload.asSlice(1)), packet))
        .hasMessage("a payload of 1151 bytes where blocks have 1152");
    assertThatThrownBy(
            () -> packets.write(new CodedBlock(0, new CodingVector.Seeded(8, N), payload), packet))
        .hasMessage("the coding vector is not that of block 64 of a stream with seed 9");
    assertThatThrownBy(() -> packets.write(new CodedBlock(1L << 30, vector, payload), packet))
        .hasMessage("generation 1073741824 is not less than 1073741824");
    CodingVector late = new CodingVector.Seeded(SEED, 1L << 30);
    assertThatThrownBy(() -> packets.write(new CodedBlock(0, late, payload), packet))
        .hasMessage("index 1073741824 is not less than 1073741824");
    CodingVector explicit = new CodingVector.Explicit(MemorySegment.ofArray(new byte[N - 1]));
    assertThatThrownBy(() -> packets.write(new CodedBlock(0, explicit, payload), packet))
        .hasMessage("vector of 63 coefficients, expected 64");
  }

  @Test
  void packetsThatAreNoBlockOfTheStreamAreRefused() throws Exception {
    GenerationShape shape = shape(new Code.Systematic());
    BlockPackets packets = new BlockPackets(shape, SEED, 0);
    MemorySegment packet = MemorySegment.ofArray(new byte[packets.maxBytes()]);
    CodedBlock block =
        new CodedBlock(0, new CodingVector.Source(3), MemorySegment.ofArray(new byte[K]));
    MemorySegment written = packet.asSlice(0, packets.write(block, packet));

    assertThat(packets.read(written).vector()).isEqualTo(block.vector());
    assertThatThrownBy(() -> new BlockPackets(shape, SEED, 1).read(written))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("alias 0, not 1");
    assertThatThrownBy(() -> packets.read(written.asSlice(0, written.byteSize() - 1)))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("1151 bytes after the header, not 1152");
    written.set(ValueLayout.JAVA_BYTE, 7, (byte) 63); // the position of the source block
    assertThat(packets.read(written).vector()).isEqualTo(new CodingVector.Source(63));
    MemorySegment longer = MemorySegment.ofArray(new byte[(int) written.byteSize() + 1]);
    longer.set(ValueLayout.JAVA_BYTE, 7, (byte) 0x40);
    longer.set(ValueLayout.JAVA_BYTE, 8, (byte) 64); // position 64 of 64, in two bytes
    assertThatThrownBy(() -> packets.read(longer))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("source block 64 of 64");
    longer.set(ValueLayout.JAVA_BYTE, 0, (byte) Packet.REPORT);
    assertThatThrownBy(() -> packets.read(longer)).isInstanceOf(MalformedDataException.class);
    assertThatThrownBy(() -> packets.read(MemorySegment.NULL))
        .isInstanceOf(MalformedDataException.class);
  }
}
