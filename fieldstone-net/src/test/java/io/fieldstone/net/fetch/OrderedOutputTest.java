package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.MemoryObject;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
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

  private static GenerationContent content(GenerationHashes hashes) throws Exception {
    return GenerationContent.of(hashes.manifest(), Optional.empty());
  }
}
