package io.fieldstone.engine.stars;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.stars.StarBatch.LocalIds;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StarBatchTest {

  private static final int POINTS = 600;

  /** Points of one cell, the later the lower. */
  private static StarField field() {
    double[] xs = new double[POINTS];
    double[] ys = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      ys[i] = POINTS - i;
    }
    return new StarField(xs, ys, POINTS, StarRule.CIRCUMCIRCLE);
  }

  private static void put(ByteBuffer chunks, int p, int q, int r, int[]... stars) {
    int start = chunks.position();
    chunks.putInt(p).putInt(q).putInt(r).putInt(stars.length);
    for (int[] star : stars) {
      for (int local : star) {
        chunks.put((byte) local);
      }
    }
    chunks.position(start + LocalIds.CHUNK_BYTES);
  }

  @Test
  void localNumbersAreThoseOfThreeSegments() {
    ByteBuffer chunks =
        ByteBuffer.allocate(2 * LocalIds.CHUNK_BYTES).order(ByteOrder.nativeOrder());
    put(chunks, 0, 256, 512, new int[] {0, 1, 2}, new int[] {255, 255, 3});
    put(chunks, 256, 0, 0, new int[] {200, 7, 9});
    LocalIds batch = new LocalIds(field(), MemorySegment.ofArray(chunks.array()));
    List<List<Integer>> stars = new ArrayList<>();
    batch.forEach((lowest, second, third) -> stars.add(List.of(lowest, second, third)));
    assertThat(stars)
        .containsExactly(List.of(514, 0, 257), List.of(515, 255, 511), List.of(456, 7, 9));
    assertThat(batch.stars()).isEqualTo(3);
    assertThat(batch.byteSize()).isEqualTo(2 * 784);
  }
}
