package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.VectorScan;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Encoder}, {@link Recoder} and {@link Decoder} together. */
class CodingTest {

  private static final Engine ENGINE = Engine.open("auto");
  private static final long GENERATION = 3;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** Few of the sizes that users have, many that are small and odd. */
  static Stream<Shapes.Case> cases() {
    return Stream.concat(
        Shapes.cases(40, 40, 200), Shapes.cases(15, 300, 5000).skip(2 * Shapes.CODES));
  }

  /** A generation of random bytes, its last block not always full. */
  private static MemorySegment source(Shapes.Case given) {
    Random random = new Random(given.number() + 1000);
    long missing = random.nextInt(given.shape().blockSize());
    return Shapes.bytes(random, given.shape().bytes() - missing);
  }

  private static byte[] padded(MemorySegment source, GenerationShape shape) {
    MemorySegment padded = Shapes.zeros(shape.bytes());
    MemorySegment.copy(source, 0, padded, 0, source.byteSize());
    return Shapes.array(padded);
  }

  private static byte[] decoded(Decoder decoder) {
    MemorySegment decoded = Shapes.zeros(decoder.shape().bytes());
    decoder.decode(decoded);
    return Shapes.array(decoded);
  }

  /** A recoder is asked for a block after each that it received, and its matrix grows each time. */
  @Test
  void aRecoderThatFillsOpensOneArena() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 64, 40);
    Set<MemorySegment.Scope> arenas = new HashSet<>();
    Engine recording = recordingCoefficients(arenas);
    try (Encoder encoder =
            new Encoder(ENGINE, shape, GENERATION, 5, Shapes.bytes(new Random(1), shape.bytes()));
        Recoder recoder = new Recoder(recording, shape, GENERATION, 6)) {
      while (recoder.rank() < shape.blocks()) {
        recoder.add(encoder.next());
        recoder.next();
      }
    }
    assertThat(arenas.size()).isEqualTo(1);
  }

  /** {@link #ENGINE}, recording the native memory that its resident blocks are called with. */
  private static Engine recordingCoefficients(Set<MemorySegment.Scope> arenas) {
    return listening(
        Engine.class,
        ENGINE,
        (_, made) ->
            made instanceof ResidentBlocks blocks
                ? listening(
                    ResidentBlocks.class,
                    blocks,
                    (arguments, result) -> {
                      note(arguments, arenas);
                      return result;
                    })
                : made);
  }

  private static void note(Object[] arguments, Set<MemorySegment.Scope> arenas) {
    for (Object argument : arguments) {
      if (argument instanceof ByteMatrices matrices && matrices.data().isNative()) {
        arenas.add(matrices.data().scope());
      }
    }
  }

  /** Receives a call that has returned; its own result is returned to the caller. */
  private interface CallListener {
    Object returned(Object[] arguments, Object result);
  }

  private static <T> T listening(Class<T> type, T object, CallListener listener) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) ->
                listener.returned(
                    arguments == null ? new Object[0] : arguments,
                    method.invoke(object, arguments)));
    return type.cast(proxy);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void blocksAreTheCombinationsTheyClaim(Shapes.Case given) {
    GenerationShape shape = given.shape();
    Gf256 field = shape.field();
    MemorySegment source = source(given);
    byte[] blocks = padded(source, shape);
    int k = shape.blockSize();
    try (Encoder encoder = new Encoder(ENGINE, shape, GENERATION, 5, source)) {
      for (long index : new long[] {0, shape.blocks() - 1, shape.blocks(), 1_000_000}) {
        CodedBlock block = encoder.block(index);
        byte[] vector = new byte[shape.blocks()];
        block.vector().expand(shape.code(), GENERATION, MemorySegment.ofArray(vector));
        byte[] expected = new byte[k];
        for (int i = 0; i < shape.blocks(); i++) {
          for (int j = 0; j < k && vector[i] != 0; j++) {
            expected[j] ^= (byte) field.multiply(vector[i] & 0xFF, blocks[i * k + j] & 0xFF);
          }
        }
        assertThat(Shapes.array(block.payload())).isEqualTo(expected);
      }
    }
  }

  /** The state of one generation does not affect the next. */
  @ParameterizedTest
  @MethodSource("cases")
  void aDecoderGoesFromGenerationToGeneration(Shapes.Case given) {
    GenerationShape shape = given.shape();
    MemorySegment source = source(given);
    MemorySegment decoded = Shapes.zeros(shape.bytes());
    try (Decoder decoder = new Decoder(ENGINE, shape, GENERATION);
        Encoder before = new Encoder(ENGINE, shape, GENERATION, 5, source);
        Encoder encoder = new Encoder(ENGINE, shape, GENERATION + 1, 5, source)) {
      for (int i = given.random().nextInt(2 * shape.blocks() + 1); i > 0; i--) {
        decoder.add(before.next());
      }
      decoder.reset(GENERATION + 1);
      assertThat(decoder.rank()).isZero();
      assertThat(decoder.deliverable()).isZero();
      assertThat(decoder.generation()).isEqualTo(GENERATION + 1);
      while (!decoder.isComplete()) {
        decoder.add(encoder.next());
      }
      decoder.decode(decoded);
    }
    assertThat(Shapes.array(decoded)).isEqualTo(padded(source, shape));
  }

  /** Ranges, sets in any order and single blocks are the same, for any stride. */
  @ParameterizedTest
  @MethodSource("cases")
  void aBatchIsItsBlocks(Shapes.Case given) {
    GenerationShape shape = given.shape();
    Random random = given.random();
    int m = 1 + random.nextInt(2 * shape.blocks());
    int stride = shape.blockSize() + random.nextInt(3);
    long first = random.nextInt(shape.blocks() + 1);
    long[] indices = random.longs(m, 0, 2L * shape.blocks()).toArray();
    MemorySegment range = Shapes.zeros((long) m * stride);
    MemorySegment set = Shapes.zeros((long) m * stride);
    ByteMatrices vectors = Shapes.matrices(1, m, shape.blocks());
    try (Encoder encoder = new Encoder(ENGINE, shape, GENERATION, 5, source(given))) {
      encoder.encode(first, ByteMatrices.strided(range, m, shape.blockSize(), stride));
      encoder.encode(indices, ByteMatrices.strided(set, m, shape.blockSize(), stride));
      encoder.coefficients(first, vectors);
      for (int row = 0; row < m; row++) {
        long at = (long) row * stride;
        CodedBlock block = encoder.block(first + row);
        assertThat(block.payload().mismatch(range.asSlice(at, shape.blockSize()))).isEqualTo(-1);
        assertThat(
                encoder.block(indices[row]).payload().mismatch(set.asSlice(at, shape.blockSize())))
            .isEqualTo(-1);
        byte[] vector = new byte[shape.blocks()];
        block.vector().expand(shape.code(), GENERATION, MemorySegment.ofArray(vector));
        assertThat(Shapes.array(vectors.row(0, row))).isEqualTo(vector);
      }
    }
  }

  /**
   * Over a link that loses, repeats and reorders: a block is innovative exactly when the decoder
   * says beforehand that it will be, repeats never are, the rank counts the innovative ones, every
   * block that is solved on the way is correct, and in the end all blocks are.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void decodesProgressivelyOverALossyLink(Shapes.Case given) {
    GenerationShape shape = given.shape();
    Random random = given.random();
    MemorySegment source = source(given);
    byte[] expected = padded(source, shape);
    int k = shape.blockSize();
    try (Encoder encoder = new Encoder(ENGINE, shape, GENERATION, 6, source);
        Decoder decoder = new Decoder(ENGINE, shape, GENERATION)) {
      MemorySegment block = Shapes.zeros(k);
      while (!decoder.isComplete()) {
        List<CodedBlock> window = new ArrayList<>();
        for (int i = 0; i < 1 + shape.blocks() / 4; i++) {
          CodedBlock sent = encoder.next();
          if (random.nextInt(4) > 0) {
            window.addAll(Collections.nCopies(1 + random.nextInt(2), sent));
          }
        }
        Collections.shuffle(window, random);
        for (CodedBlock received : window) {
          int rank = decoder.rank();
          boolean innovative = decoder.isInnovative(received.vector());
          assertThat(decoder.rank()).isEqualTo(rank);
          assertThat(decoder.add(received)).isEqualTo(innovative);
          assertThat(decoder.rank()).isEqualTo(rank + (innovative ? 1 : 0));
          assertThat(decoder.add(received)).isFalse();
        }
        int solved = 0;
        for (int i = 0; i < shape.blocks(); i++) {
          if (decoder.isSolved(i)) {
            solved++;
            decoder.read(i, block);
            assertThat(block.mismatch(MemorySegment.ofArray(expected).asSlice((long) i * k, k)))
                .isEqualTo(-1);
          } else {
            int unsolved = i;
            assertThatIllegalStateException().isThrownBy(() -> decoder.read(unsolved, block));
          }
        }
        assertThat(decoder.solvedCount()).isEqualTo(solved).isLessThanOrEqualTo(decoder.rank());
        assertThat(decoder.deliverable())
            .isEqualTo(
                IntStream.range(0, shape.blocks())
                    .filter(i -> !decoder.isSolved(i))
                    .findFirst()
                    .orElse(shape.blocks()));
      }
      assertThat(decoder.solvedCount()).isEqualTo(shape.blocks());
      assertThat(decoded(decoder)).isEqualTo(expected);
      assertThat(decoder.add(encoder.next())).isFalse();
    }
  }

  /** A source, a chain of three relays that each send at any rank, and a receiver. */
  @ParameterizedTest
  @MethodSource("cases")
  void decodesBlocksRecodedThreeTimes(Shapes.Case given) {
    GenerationShape shape = given.shape();
    Random random = given.random();
    MemorySegment source = source(given);
    try (Encoder encoder = new Encoder(ENGINE, shape, GENERATION, 7, source);
        Recoder first = new Recoder(ENGINE, shape, GENERATION, 101);
        Recoder second = new Recoder(ENGINE, shape, GENERATION, 102);
        Recoder third = new Recoder(ENGINE, shape, GENERATION, 103);
        Decoder decoder = new Decoder(ENGINE, shape, GENERATION)) {
      int burst = 1 + shape.blocks() / 5;
      while (!decoder.isComplete()) {
        hop(random, burst, encoder::next, first::add);
        hop(random, first.rank() == 0 ? 0 : burst, first::next, second::add);
        hop(random, second.rank() == 0 ? 0 : burst, second::next, third::add);
        hop(random, third.rank() == 0 ? 0 : burst, third::next, decoder::add);
        assertThat(decoder.rank()).isLessThanOrEqualTo(third.rank());
        assertThat(third.rank()).isLessThanOrEqualTo(second.rank());
        assertThat(second.rank()).isLessThanOrEqualTo(first.rank());
      }
      assertThat(decoded(decoder)).isEqualTo(padded(source, shape));
    }
  }

  @Test
  void aBlockWhosePayloadIsFreedDoesNotCount() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 3, 40);
    try (Encoder encoder =
            new Encoder(ENGINE, shape, GENERATION, 5, Shapes.bytes(new Random(1), shape.bytes()));
        Recoder recoder = new Recoder(ENGINE, shape, GENERATION, 6);
        Decoder decoder = new Decoder(ENGINE, shape, GENERATION)) {
      CodedBlock block = encoder.next();
      Arena arena = Arena.ofConfined();
      CodedBlock freed = new CodedBlock(GENERATION, block.vector(), arena.allocate(40));
      arena.close();
      for (To receiver : List.<To>of(recoder::add, decoder::add)) {
        assertThatIllegalStateException().isThrownBy(() -> receiver.add(freed));
        assertThat(receiver.add(block)).isTrue();
      }
      assertThat(recoder.rank()).isEqualTo(1);
      assertThat(decoder.rank()).isEqualTo(1);
    }
  }

  /** It would return wrong blocks. */
  @Test
  void aSystemWithoutMemoryForAPayloadIsClosed() {
    Gf256 field = Gf256.DEFAULT;
    MemorySegment row = MemorySegment.ofArray(new byte[] {1, 2});
    ResidentBlocks full =
        listening(
            ResidentBlocks.class,
            ENGINE.allocate(field, 1, 2, 2),
            (arguments, result) -> {
              if (arguments.length == 3) {
                throw new OutOfMemoryError("to store a block");
              }
              return result;
            });
    try (ProgressiveElimination system =
        ProgressiveElimination.byBasis(ENGINE.eliminations().basis(field, 2), full)) {
      assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> system.add(row, row));
      assertThatIllegalStateException().isThrownBy(() -> system.add(row, row));
    }
  }

  private interface From {
    CodedBlock next();
  }

  private interface To {
    boolean add(CodedBlock block);
  }

  private static void hop(Random random, int blocks, From from, To to) {
    for (int i = 0; i < blocks; i++) {
      CodedBlock block = from.next();
      if (random.nextInt(5) > 0) {
        to.add(block);
      }
    }
  }

  /** Blocks recoded in a batch are combinations of the held blocks, in vectors and payloads. */
  @Test
  void recodesInBatches() {
    GenerationShape shape = new GenerationShape(Gf256.RIJNDAEL, new Code.Dense(), 20, 77);
    MemorySegment source = Shapes.bytes(new Random(2), shape.bytes());
    try (Encoder encoder = new Encoder(ENGINE, shape, GENERATION, 7, source);
        Recoder relay = new Recoder(ENGINE, shape, GENERATION, 8);
        Recoder other = new Recoder(ENGINE, shape, GENERATION, 9)) {
      for (int rank = 1; rank <= 20; rank++) {
        CodedBlock block = encoder.next();
        assertThat(relay.add(block)).isTrue();
        other.add(block);
        assertThat(relay.add(block)).isFalse();
        assertThat(relay.rank()).isEqualTo(rank);
        int m = 30;
        ByteMatrices vectors = Shapes.matrices(1, m, 20);
        ByteMatrices payloads = Shapes.matrices(1, m, 77);
        relay.recode(vectors, payloads);
        try (Decoder decoder = new Decoder(ENGINE, shape, GENERATION)) {
          for (int row = 0; row < m; row++) {
            CodingVector vector = new CodingVector.Explicit(vectors.row(0, row));
            decoder.add(new CodedBlock(GENERATION, vector, payloads.row(0, row)));
          }
          // 30 draws span all that is held, and no more.
          assertThat(decoder.rank()).isEqualTo(rank);
          if (rank == 20) {
            assertThat(decoded(decoder)).isEqualTo(Shapes.array(source));
          }
        }
        assertThat(relay.next().payload().mismatch(other.next().payload())).isNotEqualTo(-1);
      }
      assertThat(relay.add(encoder.next())).isFalse();
    }
  }

  /** At rank 1 one uniform draw in 256 would be an empty block. */
  @Test
  void neverSendsAnEmptyCombination() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 2, 1);
    try (Recoder relay = new Recoder(ENGINE, shape, 0, 1)) {
      relay.add(new CodedBlock(0, new CodingVector.Source(0), Shapes.zeros(1)));
      ByteMatrices vectors = Shapes.matrices(1, 2000, 2);
      relay.recode(vectors, Shapes.matrices(1, 2000, 1));
      for (int row = 0; row < 2000; row++) {
        assertThat(VectorScan.unitIndex(vectors.data(), vectors.offset(0, row), 2))
            .isNotEqualTo(VectorScan.ZERO);
      }
    }
  }

  /** HPDS, Sec. 3.1: without loss every frame is delivered when it is received. */
  @Test
  void thePipelineCodeDeliversInOrderAsFramesArrive() {
    int n = 60;
    Code.Pipeline code = new Code.Pipeline(0.5);
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, n, 40);
    MemorySegment source = Shapes.bytes(new Random(1), shape.bytes());
    try (Encoder encoder = new Encoder(ENGINE, shape, GENERATION, 7, source);
        Decoder lossless = new Decoder(ENGINE, shape, GENERATION);
        Decoder lossy = new Decoder(ENGINE, shape, GENERATION)) {
      int waited = 0;
      MemorySegment frame = Shapes.zeros(40);
      for (int index = 0; index < 90; index++) {
        CodedBlock block = encoder.next();
        lossless.add(block);
        int sequenceNumber = code.sequenceNumber(index, n);
        assertThat(lossless.deliverable()).isEqualTo(sequenceNumber + 1);
        lossless.read(sequenceNumber, frame);
        assertThat(frame.mismatch(source.asSlice(sequenceNumber * 40L, 40))).isEqualTo(-1);
        if (index % 5 != 1) {
          lossy.add(block);
          waited = Math.max(waited, sequenceNumber + 1 - lossy.deliverable());
        }
      }
      // One block of five lost, one of three redundant: the receiver never falls far behind.
      assertThat(waited).isLessThanOrEqualTo(4);
      assertThat(lossy.deliverable()).isEqualTo(n);
      MemorySegment middle = Shapes.zeros(20 * 40);
      lossy.read(30, ByteMatrices.of(middle, 20, 40));
      assertThat(middle.mismatch(source.asSlice(30 * 40, 20 * 40))).isEqualTo(-1);
    }
  }

  /** Decoders take the blocks of any code. */
  @Test
  void mixesSeedsCodesAndForms() {
    GenerationShape dense = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 12, 9);
    GenerationShape pipeline = new GenerationShape(Gf256.DEFAULT, new Code.Pipeline(0), 12, 9);
    MemorySegment source = Shapes.bytes(new Random(4), dense.bytes());
    try (Encoder first = new Encoder(ENGINE, dense, GENERATION, 1, source);
        Encoder second = new Encoder(ENGINE, dense, GENERATION, 2, source);
        Encoder third = new Encoder(ENGINE, pipeline, GENERATION, 1, source);
        Decoder decoder = new Decoder(ENGINE, dense, GENERATION)) {
      for (int i = 0; i < 4; i++) {
        assertThat(decoder.add(first.next())).isTrue();
        assertThat(decoder.add(second.next())).isTrue();
        assertThat(decoder.add(third.next())).isTrue();
      }
      assertThat(decoded(decoder)).isEqualTo(Shapes.array(source));
    }
  }

  @Test
  void codesTheLargestGeneration() {
    int n = GenerationShape.MAX_BLOCKS;
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), n, 3);
    MemorySegment source = Shapes.bytes(new Random(4), shape.bytes() - 1);
    try (Encoder encoder = new Encoder(ENGINE, shape, 0xFFFF_FFFFL, 1, source);
        Decoder decoder = new Decoder(ENGINE, shape, 0xFFFF_FFFFL)) {
      for (int index = 0; !decoder.isComplete(); index++) {
        if (index % 512 != 7) {
          decoder.add(encoder.block(index));
        }
      }
      assertThat(decoded(decoder)).isEqualTo(padded(source, shape));
    }
  }

  @Test
  void codesAnEmptySource() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 3, 5);
    try (Encoder encoder = new Encoder(ENGINE, shape, 0, 1, MemorySegment.NULL);
        Decoder decoder = new Decoder(ENGINE, shape, 0)) {
      encoder.encode(0, Shapes.matrices(1, 0, 5));
      while (!decoder.isComplete()) {
        decoder.add(encoder.next());
      }
      assertThat(decoded(decoder)).isEqualTo(new byte[15]);
    }
  }

  @Test
  void rejectsArgumentsThatDoNotFit() {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 10);
    MemorySegment tooMuch = Shapes.zeros(41);
    CodingVector vector = new CodingVector.Source(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Encoder(ENGINE, shape, 0, 1, tooMuch))
        .withMessageContaining("41");
    assertThatIllegalArgumentException().isThrownBy(() -> new Decoder(ENGINE, shape, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Recoder(ENGINE, shape, 1L << 32, 0));
    try (Encoder encoder = new Encoder(ENGINE, shape, 0, 1, Shapes.zeros(40));
        Recoder recoder = new Recoder(ENGINE, shape, 0, 1);
        Decoder decoder = new Decoder(ENGINE, shape, 0)) {
      assertThatIllegalArgumentException().isThrownBy(() -> encoder.block(1L << 32));
      assertThatIllegalArgumentException().isThrownBy(() -> encoder.block(-1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> encoder.encode(0, Shapes.matrices(1, 2, 11)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> encoder.encode(new long[] {1}, Shapes.matrices(1, 2, 10)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> encoder.encode(0xFFFF_FFFFL, Shapes.matrices(1, 2, 10)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> encoder.coefficients(0, Shapes.matrices(1, 2, 5)));
      for (To to : List.<To>of(recoder::add, decoder::add)) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> to.add(new CodedBlock(0, vector, Shapes.zeros(9))))
            .withMessageContaining("9 bytes");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> to.add(new CodedBlock(1, vector, Shapes.zeros(10))))
            .withMessageContaining("generation 1");
        assertThatIllegalArgumentException()
            .isThrownBy(
                () -> to.add(new CodedBlock(0, new CodingVector.Source(4), Shapes.zeros(10))))
            .withMessageContaining("source index 4");
        assertThatIllegalArgumentException()
            .isThrownBy(() ->
                to.add(
                    new CodedBlock(
                        0, new CodingVector.Explicit(Shapes.zeros(5)), Shapes.zeros(10))))
            .withMessageContaining("5 coefficients");
      }
      assertThat(decoder.rank()).isZero();
      assertThatIllegalStateException().isThrownBy(recoder::next);
      assertThatIllegalStateException().isThrownBy(() -> decoder.decode(Shapes.zeros(40)));
      assertThatIllegalArgumentException().isThrownBy(() -> decoder.decode(Shapes.zeros(41)));
      assertThatIllegalArgumentException().isThrownBy(() -> decoder.read(0, Shapes.zeros(11)));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> decoder.isSolved(4));
      recoder.add(encoder.next());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> recoder.recode(Shapes.matrices(1, 2, 4), Shapes.matrices(1, 3, 10)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> recoder.recode(Shapes.matrices(1, 2, 5), Shapes.matrices(1, 2, 10)));
    }
  }

  @Test
  void closesTwice() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 10);
    List<AutoCloseable> resources =
        List.of(
            new Encoder(ENGINE, shape, 0, 1, Shapes.zeros(40)),
            new Recoder(ENGINE, shape, 0, 1),
            new Decoder(ENGINE, shape, 0),
            new BatchEncoder(ENGINE, shape, 0),
            new BatchDecoder(ENGINE, shape, Shapes.matrices(2, shape.blocks(), shape.blockSize())));
    for (AutoCloseable resource : resources) {
      resource.close();
      assertThatNoException().isThrownBy(resource::close);
    }
  }
}
