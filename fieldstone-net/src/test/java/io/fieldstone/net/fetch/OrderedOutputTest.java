package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class OrderedOutputTest {

  private static final int N = 4;
  private static final int K = 10;
  private static final int GENERATIONS = 50;
  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), N, K);

  /** A receiver verifies a generation after its source blocks, which may be written by then. */
  @Test
  void generationsWhoseBlocksWereWrittenDoNotStay() throws Exception {
    byte[] bytes = new byte[GENERATIONS * N * K];
    new SplittableRandom(1).nextBytes(bytes);
    MemorySegment content = MemorySegment.ofArray(bytes);
    GenerationHashes hashes = MemoryObject.of(SHAPE, content).hashes();
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    CountDownLatch[] written = new CountDownLatch[GENERATIONS];
    int[] ended = new int[1];
    for (int i = 0; i < GENERATIONS; i++) {
      written[i] = new CountDownLatch(1);
    }
    try (OrderedOutput output =
        new OrderedOutput(stream, "stream", 2 * N * K, () -> written[ended[0]++].countDown())) {
      assertThat(output.begin(hashes, content(hashes), 1).isEmpty()).isTrue();
      for (int g = 0; g < GENERATIONS; g++) {
        for (int position = 0; position < N; position++) {
          output.sourceVerified(g, position, content.asSlice((g * N + position) * K, K));
        }
        written[g].await();
        output.verified(g, content.asSlice(g * N * K, N * K));
        assertThat(output.waitingGenerations()).isZero();
      }
      output.commit();
    }
    assertThat(stream.toByteArray()).isEqualTo(bytes);
  }

  /** Blocks of an encrypted object have right leaves, too, but are ciphertext. */
  @Test
  void blocksOfEncryptedGenerationsAreNotWritten() throws Exception {
    GenerationHashes hashes =
        MemoryObject.of(SHAPE, MemorySegment.ofArray(new byte[N * K])).hashes();
    ObjectManifest plain = hashes.manifest();
    GenerationCipher cipher = GenerationCipher.of(MasterKey.generate(), new Sha256(1, 2, 3, 4));
    GenerationContent encrypted =
        GenerationContent.of(
            new ObjectManifest(SHAPE, N * K, Optional.of(cipher.parameters()), plain.root()),
            Optional.of(cipher));
    byte[] bytes = new byte[N * K - GenerationCipher.TAG_BYTES];
    new SplittableRandom(2).nextBytes(bytes);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (OrderedOutput output = new OrderedOutput(stream, "stream", 2 * N * K, () -> {})) {
      assertThat(output.begin(hashes, encrypted, 1).isEmpty()).isTrue();
      output.sourceVerified(0, 0, MemorySegment.ofArray(new byte[K]));
      assertThat(output.waitingGenerations()).isZero();
      output.verified(0, MemorySegment.ofArray(bytes));
      output.commit();
    }
    assertThat(stream.toByteArray()).isEqualTo(bytes);
  }

  private static GenerationContent content(GenerationHashes hashes) throws Exception {
    return GenerationContent.of(hashes.manifest(), Optional.empty());
  }
}
