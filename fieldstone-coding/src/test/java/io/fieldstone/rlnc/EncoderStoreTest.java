package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Encoders that take source blocks as they come. */
class EncoderStoreTest {

  private static final int N = 6;
  private static final int K = 10;

  private final Engine engine = Engine.open("cpu:scalar");
  private final byte[] source = new byte[N * K];

  EncoderStoreTest() {
    new Random(1).nextBytes(source);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private MemorySegment sourceBlock(int index) {
    return MemorySegment.ofArray(source).asSlice((long) index * K, K);
  }

  private static GenerationShape shape(Code code) {
    return new GenerationShape(Gf256.DEFAULT, code, N, K);
  }

  private static void assertEqual(CodedBlock one, CodedBlock other) {
    assertThat(one.payload().mismatch(other.payload())).isEqualTo(-1);
  }

  @Test
  void storedBlocksEncodeAsALoadedGeneration() {
    for (Code code : new Code[] {new Code.Systematic(), new Code.Dense(), new Code.Pipeline(0.5)}) {
      try (Encoder loaded = new Encoder(engine, shape(code), 3, 9, source);
          Encoder live = new Encoder(engine, shape(code), 3, 9)) {
        for (int i = 0; i < N; i++) {
          assertThat(live.isStored(i)).isFalse();
          live.store(i, sourceBlock(i));
          assertThat(live.isStored(i)).isTrue();
        }
        for (long index = 0; index < 3 * N; index++) {
          assertEqual(live.block(index), loaded.block(index));
        }
      }
    }
  }

  @Test
  void framesOfAPipelineCodeAreSentAsSoonAsTheyAreCaptured() {
    GenerationShape shape = shape(new Code.Pipeline(0));
    try (Encoder loaded = new Encoder(engine, shape, 0, 9, source);
        Encoder live = new Encoder(engine, shape, 0, 9);
        Decoder decoder = new Decoder(engine, shape, 0)) {
      for (int i = 0; i < N; i++) {
        assertThatThrownBy(live::next).isInstanceOf(IllegalStateException.class);
        live.store(i, sourceBlock(i));
        CodedBlock frame = live.next();
        assertEqual(frame, loaded.block(i));
        decoder.add(frame);
        assertThat(decoder.deliverable()).isEqualTo(i + 1);
      }
    }
  }

  @Test
  void aBlockThatNeedsAMissingSourceBlockNamesIt() {
    try (Encoder live = new Encoder(engine, shape(new Code.Systematic()), 3, 9)) {
      live.store(0, sourceBlock(0));
      live.store(2, sourceBlock(2));
      assertEqual(live.block(2), live.block(2));
      assertThatThrownBy(() -> live.block(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("block 1 of generation 3 needs source block 1, which is not stored");
      assertThatThrownBy(() -> live.block(N + 4))
          .hasMessage("block 10 of generation 3 needs source block 1, which is not stored");
      live.reset(4);
      assertThatThrownBy(() -> live.block(0))
          .hasMessage("block 0 of generation 4 needs source block 0, which is not stored");
    }
  }

  @Test
  void theBeginningOfAGenerationIsDecoded() {
    GenerationShape shape = shape(new Code.Systematic());
    try (Encoder encoder = new Encoder(engine, shape, 0, 9, source);
        Decoder decoder = new Decoder(engine, shape, 0)) {
      for (int i = 0; i < N - 1; i++) {
        decoder.add(encoder.block(i));
      }
      byte[] most = new byte[(N - 1) * K];
      decoder.decode(most);
      assertThat(most).isEqualTo(Arrays.copyOf(source, most.length));
      byte[] more = new byte[most.length + 1];
      assertThatThrownBy(() -> decoder.decode(more))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("source block 5");
      assertThat(more).containsOnly(0);

      decoder.add(encoder.block(N));
      for (int bytes = 0; bytes <= N * K; bytes++) {
        byte[] decoded = new byte[bytes];
        decoder.decode(decoded);
        assertThat(decoded).isEqualTo(Arrays.copyOf(source, bytes));
      }
      assertThatThrownBy(() -> decoder.decode(new byte[N * K + 1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("61 bytes");
    }
  }

  @Test
  void buffersAreConsumed() {
    GenerationShape shape = shape(new Code.Systematic());
    try (Encoder encoder = new Encoder(engine, shape, 0, 9);
        Decoder decoder = new Decoder(engine, shape, 0)) {
      ByteBuffer given = ByteBuffer.wrap(source);
      ByteBuffer blocks = ByteBuffer.allocate(N * K);
      for (int i = 0; i < N; i++) {
        encoder.store(i, given.limit((i + 1) * K));
        ByteBuffer payload = encoder.block(i).payload().asByteBuffer();
        assertThat(decoder.add(new CodingVector.Source(i), payload)).isTrue();
        assertThat(payload.hasRemaining()).isFalse();
        decoder.read(i, blocks.limit((i + 1) * K));
      }
      assertThat(given.hasRemaining()).isFalse();
      assertThat(blocks.flip()).isEqualTo(ByteBuffer.wrap(source));
    }
  }

  @Test
  void arraysAndBuffersAreTakenAtEveryEdge() {
    GenerationShape shape = shape(new Code.Systematic());
    ByteBuffer direct = ByteBuffer.allocateDirect(N * K);
    direct.put(source).flip();
    try (Encoder fromArray = new Encoder(engine, shape, 0, 9, source);
        Encoder fromBuffer = new Encoder(engine, shape, 0, 9, direct);
        Encoder live = new Encoder(engine, shape, 0, 9);
        Decoder decoder = new Decoder(engine, shape, 0);
        Recoder recoder = new Recoder(engine, shape, 0, 4)) {
      byte[] last = Arrays.copyOfRange(source, (N - 1) * K, N * K);
      live.store(N - 1, last);
      assertEqual(live.block(N - 1), fromBuffer.block(N - 1));
      live.store(0, direct.slice(0, K));
      assertEqual(live.block(0), fromArray.block(0));
      for (int i = 0; i < N; i++) {
        CodedBlock block = fromBuffer.block(N + i);
        assertEqual(block, fromArray.block(N + i));
        byte[] payload = block.payload().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        recoder.add(block.vector(), payload);
        recoder.add(block.vector(), ByteBuffer.wrap(payload));
        decoder.add(block.vector(), i % 2 == 0 ? ByteBuffer.wrap(payload) : direct(payload));
        decoder.add(block.vector(), payload);
      }
      assertThat(recoder.rank()).isEqualTo(N);
      byte[] decoded = new byte[N * K];
      decoder.decode(decoded);
      assertThat(decoded).isEqualTo(source);
      ByteBuffer buffer = ByteBuffer.allocateDirect(N * K);
      decoder.decode(buffer);
      assertThat(buffer.hasRemaining()).isFalse();
      assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(source));
      byte[] one = new byte[K];
      decoder.read(N - 1, one);
      assertThat(one).isEqualTo(last);
    }
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  @Test
  void shortBlocksArePaddedAndLongOnesRejected() {
    try (Encoder live = new Encoder(engine, shape(new Code.Systematic()), 0, 9)) {
      live.store(0, new byte[] {7});
      byte[] expected = new byte[K];
      expected[0] = 7;
      assertThat(live.block(0).payload().mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
      assertThatThrownBy(() -> live.store(0, new byte[K + 1]))
          .hasMessage("a source block of 11 bytes where blocks have 10");
      assertThatThrownBy(() -> live.store(N, new byte[K]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
