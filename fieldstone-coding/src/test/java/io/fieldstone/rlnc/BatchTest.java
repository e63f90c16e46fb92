package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link BatchEncoder} and {@link BatchDecoder}. */
class BatchTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");
  private static final long SEED = 0x5EEDL;
  private static final byte UNTOUCHED = 0x5A;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  static Stream<Shapes.Case> cases() {
    return Shapes.cases(40, 60, 300);
  }

  /** {@code count} generations of random bytes and {@code perGeneration} blocks of each. */
  private record Sent(ByteMatrices sources, List<List<CodedBlock>> blocks) {

    static Sent of(
        GenerationShape shape, Random random, long first, int count, int firstIndex, int each) {
      ByteMatrices sources =
          ByteMatrices.packed(
              Shapes.bytes(random, count * shape.bytes()),
              count,
              shape.blocks(),
              shape.blockSize());
      ByteMatrices payloads = Shapes.matrices(count, each, shape.blockSize());
      List<List<CodedBlock>> blocks = new ArrayList<>();
      try (BatchEncoder encoder = new BatchEncoder(ENGINE, shape, SEED)) {
        encoder.encode(first, sources, firstIndex, payloads);
        for (int g = 0; g < count; g++) {
          List<CodedBlock> generation = new ArrayList<>();
          for (int i = 0; i < each; i++) {
            generation.add(
                new CodedBlock(first + g, encoder.vector(firstIndex + i), payloads.row(g, i)));
          }
          blocks.add(generation);
        }
      }
      return new Sent(sources, blocks);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void makesTheBlocksOfOneEncoderAGeneration(Shapes.Case given) {
    GenerationShape shape = given.shape();
    int firstIndex = given.random().nextInt(3);
    Sent sent = Sent.of(shape, given.random(), 9, 3, firstIndex, shape.blocks() + 2);
    for (int g = 0; g < 3; g++) {
      MemorySegment source = sent.sources().matrix(g).data();
      try (Encoder encoder = new Encoder(ENGINE, shape, 9 + g, SEED, source)) {
        for (int i = 0; i < shape.blocks() + 2; i++) {
          CodedBlock block = encoder.block(firstIndex + i);
          CodedBlock batched = sent.blocks().get(g).get(i);
          assertThat(batched.vector()).isEqualTo(block.vector());
          assertThat(batched.payload().mismatch(block.payload())).isEqualTo(-1);
        }
      }
    }
  }

  /**
   * Against a {@link Decoder} a generation: after any losses, in any order, with duplicates, the
   * same ranks; generations of full rank are decoded, others are unchanged.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void decodesExactlyGenerationsOfFullRank(Shapes.Case given) {
    GenerationShape shape = given.shape();
    Random random = given.random();
    int n = shape.blocks();
    int count = 1 + random.nextInt(6);
    int each = n + random.nextInt(n + 8);
    Sent sent = Sent.of(shape, random, 100, count, 0, each);
    List<CodedBlock> received = new ArrayList<>();
    double loss = random.nextDouble() * 0.6;
    for (List<CodedBlock> generation : sent.blocks()) {
      for (CodedBlock block : generation) {
        for (int copies = random.nextDouble() < loss ? 0 : 1 + random.nextInt(2);
            copies > 0;
            copies--) {
          received.add(block);
        }
      }
    }
    Collections.shuffle(received, random);
    try (Decoding decoder = new Decoding(shape, count + 1)) {
      decoder.reset(100, count);
      received.forEach(decoder::add);
      decoder.assertDecodes(sent, ranks(shape, 100, count, received));
    }
  }

  /** One decoder in many rounds of different losses: a round does not affect the next. */
  @Test
  void decodesRoundAfterRoundInTheSameMemory() {
    GenerationShape shape = new GenerationShape(Gf256.RIJNDAEL, new Code.Systematic(), 24, 31);
    Random random = new Random(11);
    try (Decoding decoder = new Decoding(shape, 8)) {
      for (int round = 0; round < 60; round++) {
        int count = 1 + random.nextInt(8);
        Sent sent = Sent.of(shape, random, 10L * round, count, 0, 24 + 16);
        decoder.reset(10L * round, count);
        double loss = random.nextInt(4) * 0.12;
        List<CodedBlock> received = new ArrayList<>();
        for (List<CodedBlock> generation : sent.blocks()) {
          int room = 24 + random.nextInt(5);
          for (CodedBlock block : generation) {
            if (room > 0 && random.nextDouble() >= loss) {
              received.add(block);
              room--;
            }
          }
        }
        Collections.shuffle(received, random);
        received.forEach(decoder::add);
        decoder.assertDecodes(sent, ranks(shape, 10L * round, count, received));
      }
    }
  }

  private static int[] ranks(
      GenerationShape shape, long first, int count, List<CodedBlock> blocks) {
    int[] ranks = new int[count];
    for (int g = 0; g < count; g++) {
      try (Decoder decoder = new Decoder(ENGINE, shape, first + g)) {
        blocks.stream()
            .filter(block -> block.generation() == decoder.generation())
            .forEach(decoder::add);
        ranks[g] = decoder.rank();
      }
    }
    return ranks;
  }

  /** A decoder whose destination a test looks into. */
  private static final class Decoding implements AutoCloseable {
    private final ByteMatrices decoded;
    private final BatchDecoder decoder;

    Decoding(GenerationShape shape, int capacity) {
      decoded = Shapes.matrices(capacity, shape.blocks(), shape.blockSize());
      decoder = new BatchDecoder(ENGINE, shape, decoded);
      decoded.data().fill(UNTOUCHED);
    }

    void reset(long first, int count) {
      decoder.reset(first, count);
      decoded.data().fill(UNTOUCHED);
    }

    boolean add(CodedBlock block) {
      return decoder.add(block);
    }

    /** Generations of full rank equal the source; other blocks equal it or are unchanged. */
    void assertDecodes(Sent sent, int[] ranks) {
      GenerationShape shape = decoder.shape();
      int n = shape.blocks();
      assertThat(decoder.decode()).isEqualTo(ranks);
      byte[] untouched = new byte[shape.blockSize()];
      Arrays.fill(untouched, UNTOUCHED);
      for (int g = 0; g < decoder.count(); g++) {
        for (int source = 0; source < n; source++) {
          byte[] block = Shapes.array(decoded.row(g, source));
          if (ranks[g] == n || !Arrays.equals(block, untouched)) {
            assertThat(block)
                .as("generation %d, source %d", g, source)
                .isEqualTo(Shapes.array(sent.sources().row(g, source)));
          }
        }
      }
      for (long g = decoder.count(); g < decoded.count(); g++) {
        assertThat(Shapes.array(decoded.matrix(g).data())).containsOnly(UNTOUCHED);
      }
    }

    @Override
    public void close() {
      decoder.close();
    }
  }

  /**
   * Frames in any order; generations between them that lack a frame, or have it twice, and are
   * solved with a later frame, or are not solved.
   */
  @Test
  void substitutesFramesOfAPipeline() {
    GenerationShape shape = new GenerationShape(Gf256.RIJNDAEL, new Code.Pipeline(0), 37, 45);
    Random random = new Random(3);
    Sent sent = Sent.of(shape, random, 5, 9, 0, 40);
    for (int round = 0; round < 10; round++) {
      List<CodedBlock> received = new ArrayList<>();
      for (List<CodedBlock> generation : sent.blocks()) {
        int lost = random.nextInt(2) * random.nextInt(1, 37);
        int sentFrames = random.nextInt(37, 41);
        for (int i = 0; i < sentFrames; i++) {
          if (lost == 0 || i != lost) {
            received.add(generation.get(i));
          }
        }
      }
      Collections.shuffle(received, random);
      try (Decoding decoder = new Decoding(shape, 9)) {
        decoder.reset(5, 9);
        received.forEach(decoder::add);
        decoder.assertDecodes(sent, ranks(shape, 5, 9, received));
      }
    }
  }

  /** n blocks of which the last repeats the space of the others, then one that completes them. */
  @Test
  void solvesFromReserveAndFromLaterBlocks() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 8, 50);
    Sent sent = Sent.of(shape, new Random(1), 0, 3, 0, 9);
    try (Decoding decoder = new Decoding(shape, 3)) {
      for (int g = 0; g < 3; g++) {
        List<CodedBlock> blocks = sent.blocks().get(g);
        try (Recoder relay = new Recoder(ENGINE, shape, g, 77)) {
          blocks.subList(0, 7).forEach(relay::add);
          // Generation 0: none but these 7 dimensions. 1: the eighth in reserve. 2: after it.
          int recoded = g == 0 ? 8 : g == 1 ? 8 : 40;
          for (int i = 0; i < recoded; i++) {
            decoder.add(relay.next());
          }
          if (g > 0) {
            assertThat(decoder.add(blocks.get(8))).isTrue();
          }
        }
      }
      decoder.assertDecodes(sent, new int[] {7, 8, 8});
      // Incomplete generations can be completed later; other generations are unchanged.
      assertThat(decoder.add(sent.blocks().get(0).get(8))).isTrue();
      assertThat(decoder.add(sent.blocks().get(0).get(7))).isFalse();
      decoder.assertDecodes(sent, new int[] {8, 8, 8});
    }
  }

  @Test
  void countsEqualVectorsInAnyEncodingOnce() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 5, 10);
    Sent sent = Sent.of(shape, new Random(1), 0, 1, 0, 7);
    MemorySegment unit = Shapes.zeros(5);
    CodingVector.of(shape, SEED, 3).expand(shape.code(), 0, unit);
    CodedBlock source = sent.blocks().get(0).get(3);
    try (Decoding decoder = new Decoding(shape, 1)) {
      assertThat(decoder.add(source)).isTrue();
      assertThat(decoder.add(source)).isFalse();
      assertThat(decoder.add(new CodedBlock(0, new CodingVector.Explicit(unit), source.payload())))
          .isFalse();
      assertThat(decoder.add(new CodedBlock(0, new CodingVector.Seeded(SEED, 3), source.payload())))
          .isFalse();
      assertThat(
              decoder.add(
                  new CodedBlock(0, new CodingVector.Explicit(Shapes.zeros(5)), source.payload())))
          .isFalse();
      assertThat(decoder.decoder.held(0)).isEqualTo(1);
    }
  }

  @Test
  void forgetsOnReset() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 6, 33);
    Sent first = Sent.of(shape, new Random(1), 0, 4, 2, 40);
    Sent second = Sent.of(shape, new Random(2), 4, 2, 1, 6);
    try (Decoding decoder = new Decoding(shape, 4)) {
      first.blocks().forEach(blocks -> blocks.forEach(decoder::add));
      decoder.assertDecodes(first, new int[] {6, 6, 6, 6});
      decoder.reset(4, 2);
      assertThat(decoder.decoder.held(4)).isZero();
      second.blocks().forEach(blocks -> blocks.forEach(decoder::add));
      decoder.assertDecodes(second, new int[] {6, 6});
      decoder.reset(4, 2);
      decoder.assertDecodes(second, new int[] {0, 0});
    }
  }

  @Test
  void rejectsArgumentsThatDoNotFit() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 10);
    CodingVector vector = new CodingVector.Seeded(1, 2);
    try (Decoding decoder = new Decoding(shape, 2);
        BatchEncoder encoder = new BatchEncoder(ENGINE, shape, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.add(new CodedBlock(2, vector, Shapes.zeros(10))))
          .withMessageContaining("generation 2");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> decoder.add(new CodedBlock(0, vector, Shapes.zeros(11))))
          .withMessageContaining("11");
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              decoder.add(
                  new CodedBlock(0, new CodingVector.Explicit(Shapes.zeros(3)), Shapes.zeros(10))));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new BatchDecoder(ENGINE, shape, Shapes.matrices(2, 5, 10)))
          .withMessageContaining("2 matrices of 5×10");
      assertThatIllegalArgumentException().isThrownBy(() -> decoder.reset(0, 3));
      assertThatIllegalArgumentException().isThrownBy(() -> decoder.reset(0, 0));
      assertThatIllegalArgumentException().isThrownBy(() -> decoder.reset(0xFFFF_FFFFL, 2));
      assertThatIllegalArgumentException().isThrownBy(() -> new Decoding(shape, 0));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> encoder.encode(0, Shapes.matrices(2, 4, 10), 0, Shapes.matrices(1, 4, 10)));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> encoder.encode(0, Shapes.matrices(2, 3, 10), 0, Shapes.matrices(2, 4, 10)));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> encoder.encode(-1, Shapes.matrices(2, 4, 10), 0, Shapes.matrices(2, 4, 10)));
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              encoder.encode(
                  0, Shapes.matrices(2, 4, 10), 0xFFFF_FFFFL, Shapes.matrices(2, 4, 10)));
    }
  }
}
