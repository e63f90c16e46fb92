package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire blocks of docs/format.md: golden vectors, and inputs that a parser must refuse. */
class WireBlockTest {

  private static final long OBJECT = 0x0123456789abcdefL;
  private static final HexFormat HEX = HexFormat.of();

  static Stream<WireBlock> blocks() {
    return Stream.of(
        block(new Code.Dense(), new CodingVector.Seeded(-2, 0xFFFF_FFFFL)),
        block(new Code.Systematic(), new CodingVector.Source(3)),
        block(Code.Sparse.ofDensity(0.25), new CodingVector.Seeded(7, 9)),
        block(new Code.Pipeline(0.5), new CodingVector.Pipelined(2, 7, 4)),
        block(new Code.Pipeline(0), new CodingVector.Explicit(bytes(1, 2, 3, 4))));
  }

  @Test
  void aSeededBlockIsTheseBytes() {
    assertThat(hex(block(new Code.Dense(), new CodingVector.Seeded(42, 5))))
        .isEqualTo(GOLDEN_SEEDED);
  }

  @Test
  void aPipelineBlockIsTheseBytes() {
    assertThat(hex(block(new Code.Pipeline(0.5), new CodingVector.Pipelined(2, 42, 4))))
        .isEqualTo(GOLDEN_PIPELINED);
  }

  @Test
  void aRecodedBlockIsTheseBytes() {
    assertThat(hex(block(new Code.Dense(), new CodingVector.Explicit(bytes(1, 2, 3, 4)))))
        .isEqualTo(GOLDEN_EXPLICIT);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void blocksComeBack(WireBlock block) throws Exception {
    byte[] packet = packet(block);
    WireBlock parsed = WireBlock.parse(MemorySegment.ofArray(packet));
    assertThat(packet(parsed)).isEqualTo(packet);
    assertThat(parsed.shape()).isEqualTo(block.shape());
    assertThat(parsed.objectId()).isEqualTo(OBJECT);
    assertThat(parsed.block().generation()).isEqualTo(block.block().generation());
    assertThat(parsed.block().payload().toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(block.block().payload().toArray(ValueLayout.JAVA_BYTE));
    if (!(block.block().vector() instanceof CodingVector.Explicit)) {
      assertThat(parsed.block().vector()).isEqualTo(block.block().vector());
    }
  }

  /** A payload is a slice of the packet: changing one changes the other. */
  @Test
  void parsingCopiesNothing() throws Exception {
    byte[] packet = packet(block(new Code.Dense(), new CodingVector.Seeded(1, 1)));
    WireBlock parsed = WireBlock.parse(MemorySegment.ofArray(packet));
    packet[WireBlock.HEADER_BYTES] ^= 1;
    assertThat(parsed.block().payload().get(ValueLayout.JAVA_BYTE, 0))
        .isEqualTo(packet[WireBlock.HEADER_BYTES]);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void everyFlippedBitIsFound(WireBlock block) {
    byte[] packet = packet(block);
    for (int bit = 0; bit < packet.length * 8; bit++) {
      byte[] damaged = packet.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatExceptionOfType(MalformedDataException.class)
          .isThrownBy(() -> WireBlock.parse(MemorySegment.ofArray(damaged)));
    }
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void everyOtherLengthIsFound(WireBlock block) {
    byte[] packet = packet(block);
    for (int length = 0; length < packet.length + 70; length++) {
      if (length != packet.length) {
        MemorySegment other = MemorySegment.ofArray(Arrays.copyOf(packet, length));
        assertThatExceptionOfType(MalformedDataException.class)
            .isThrownBy(() -> WireBlock.parse(other));
      }
    }
  }

  /** Headers with a right CRC that say impossible things. */
  @Test
  void hostileBlocksAreRefused() {
    var seeded = block(new Code.Dense(), new CodingVector.Seeded(42, 5));
    assertRefused(seeded, b -> b.put(3, (byte) 2), "a block starts with");
    assertRefused(seeded, b -> b.put(4, (byte) 0), "unknown field 0");
    assertRefused(seeded, b -> b.put(5, (byte) 9), "unknown code 9");
    assertRefused(
        seeded, b -> b.put(4, (byte) 2).put(5, (byte) 5), "the cauchy code is not defined over");
    assertRefused(
        seeded, b -> b.put(5, (byte) 5).putInt(44, 257), "generation size 257 is not in 1…256");
    assertRefused(seeded, b -> b.put(6, (byte) 9), "unknown kind of vector 9");
    assertRefused(seeded, b -> b.put(7, (byte) 1), "a reserved byte");
    assertRefused(seeded, b -> b.putLong(16, 1), "code parameter");
    assertRefused(seeded, b -> b.putInt(40, 1), "a reserved byte");
    assertRefused(seeded, b -> b.putInt(44, 0), "generation size 0");
    assertRefused(seeded, b -> b.putInt(44, 4097), "generation size 4097");
    assertRefused(seeded, b -> b.putInt(44, -1), "generation size 4294967295");
    assertRefused(seeded, b -> b.putInt(48, 0), "block size 0");
    assertRefused(seeded, b -> b.putInt(48, 1 << 24), "the block has 16777280 bytes, not 72");
    assertRefused(seeded, b -> b.putInt(48, (1 << 24) + 1), "block size 16777217");
    assertRefused(seeded, b -> b.putInt(48, Integer.MIN_VALUE), "block size 2147483648");
    assertRefused(seeded, b -> b.putLong(52, 1), "a reserved byte");
    var source = block(new Code.Systematic(), new CodingVector.Source(3));
    assertRefused(source, b -> b.putInt(40, 4), "source index 4");
    assertRefused(source, b -> b.putInt(40, -1), "source index 4294967295");
    assertRefused(source, b -> b.putInt(36, 1), "a reserved byte");
    var sparse = block(new Code.Sparse(1), new CodingVector.Seeded(42, 5));
    assertRefused(sparse, b -> b.putLong(16, 256), "threshold 256");
    assertRefused(sparse, b -> b.putLong(16, Long.MIN_VALUE), "code parameter");
    var pipelined = block(new Code.Pipeline(0), new CodingVector.Pipelined(3, 1, 1));
    assertRefused(pipelined, b -> b.putInt(40, 4), "sequence number 4");
    assertRefused(pipelined, b -> b.putDouble(16, Double.NaN), "redundancy NaN");
    assertRefused(pipelined, b -> b.putDouble(16, -1), "redundancy -1.0");
    assertRefused(pipelined, b -> b.put(6, (byte) 1), "a seeded vector of the pipeline code");
    var explicit = block(new Code.Dense(), new CodingVector.Explicit(bytes(1, 2, 3, 4)));
    assertRefused(explicit, b -> b.putInt(44, 5), "the block has 77 bytes, not 76");
    assertRefused(explicit, b -> b.putInt(44, Integer.MAX_VALUE), "generation size");
    assertRefused(explicit, b -> b.putLong(24, 1), "a reserved byte");
  }

  private static void assertRefused(WireBlock block, Consumer<ByteBuffer> forge, String problem) {
    ByteBuffer bytes = ByteBuffer.wrap(packet(block));
    forge.accept(bytes);
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, 60));
    crc.update(bytes.slice(64, bytes.capacity() - 64));
    bytes.putInt(60, (int) crc.getValue());
    assertThatExceptionOfType(MalformedDataException.class)
        .isThrownBy(() -> WireBlock.parse(MemorySegment.ofArray(bytes.array())))
        .withMessageContaining(problem);
  }

  @Test
  void randomPacketsAreRefused() {
    Random random = new Random(1);
    for (int round = 0; round < 2000; round++) {
      byte[] packet = new byte[4 + random.nextInt(200)];
      random.nextBytes(packet);
      ByteBuffer.wrap(packet).putInt(0, WireBlock.MAGIC);
      assertThatExceptionOfType(MalformedDataException.class)
          .isThrownBy(() -> WireBlock.parse(MemorySegment.ofArray(packet)));
    }
  }

  @Test
  void shortVectorsArePaddedInRecords() throws Exception {
    WireBlock block = block(new Code.Dense(), new CodingVector.Explicit(bytes(1, 2, 3, 4)));
    MemorySegment record = MemorySegment.ofArray(new byte[64 + 6 + 8]);
    record.fill((byte) 0x55);
    block.writeRecord(record, 6);
    assertThat(record.asSlice(64, 6).toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(1, 2, 3, 4, 0, 0);
    WireBlock parsed = WireBlock.parseRecord(record, 6);
    assertThat(((CodingVector.Explicit) parsed.block().vector()).coefficients().byteSize())
        .isEqualTo(4);
    assertThatIllegalArgumentException().isThrownBy(() -> block.writeRecord(record, 5));
  }

  @Test
  void partsThatDoNotFitAreMisuse() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 8);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new WireBlock(1, shape, new CodedBlock(0, new CodingVector.Source(0), bytes(1))))
        .withMessageContaining("payload of 1 bytes, expected ");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new WireBlock(
                1, shape, new CodedBlock(1L << 32, new CodingVector.Source(0), payload())))
        .withMessageContaining("generation 4294967296");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new WireBlock(1, shape, new CodedBlock(0, new CodingVector.Source(4), payload())))
        .withMessageContaining("source index 4");
  }

  private static WireBlock block(Code code, CodingVector vector) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, 4, 8);
    return new WireBlock(OBJECT, shape, new CodedBlock(3, vector, payload()));
  }

  private static MemorySegment payload() {
    return bytes('p', 'a', 'y', 'l', 'o', 'a', 'd', '!');
  }

  private static MemorySegment bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return MemorySegment.ofArray(bytes);
  }

  private static byte[] packet(WireBlock block) {
    byte[] packet = new byte[block.byteSize()];
    block.writeTo(MemorySegment.ofArray(packet));
    return packet;
  }

  private static String hex(WireBlock block) {
    return HEX.formatHex(packet(block));
  }

  // Computed independently of the implementation, by the script in docs/format.md.
  private static final String GOLDEN_SEEDED =
      "46534201010101000123456789abcdef0000000000000000000000000000002a"
          + "00000003000000050000000000000004000000080000000000000000d676356e"
          + "7061796c6f616421";
  private static final String GOLDEN_PIPELINED =
      "46534201010403000123456789abcdef3fe0000000000000000000000000002a"
          + "00000003000000040000000200000004000000080000000000000000abe4a595"
          + "7061796c6f616421";
  private static final String GOLDEN_EXPLICIT =
      "46534201010104000123456789abcdef00000000000000000000000000000000"
          + "0000000300000000000000000000000400000008000000000000000084bdebae"
          + "010203047061796c6f616421";
}
