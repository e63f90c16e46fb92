package io.fieldstone.cuda;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.field.Gf256;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhasesTest {

  private static final int GENERATIONS = 7;
  private static final int N = 8;
  private static final int K = 256 << 10;
  private static final long PAYLOAD = (long) GENERATIONS * N * K;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyByteThatCrossesTheBusIsInAPhase(boolean pinned) {
    List<Phase> phases = phasesOfProducts(pinned);
    Map<String, Long> bytes =
        phases.stream().collect(groupingBy(Phase::name, summingLong(Phase::bytes)));
    assertThat(bytes.keySet()).containsExactlyInAnyOrder("upload", "compute", "download");
    assertThat(bytes.get("upload")).isEqualTo(PAYLOAD + GENERATIONS * N * N);
    assertThat(bytes.get("download")).isEqualTo(PAYLOAD);
  }

  @Test
  void phasesOfAStreamDoNotOverlap() {
    Map<String, List<Phase>> streams =
        phasesOfProducts(true).stream().collect(groupingBy(Phase::track));
    assertThat(streams.keySet()).contains("cuda:0:loop-byte stream 1", "cuda:0:loop-byte stream 2");
    for (List<Phase> stream : streams.values()) {
      for (int i = 1; i < stream.size(); i++) {
        assertThat(stream.get(i).startNs()).isGreaterThanOrEqualTo(stream.get(i - 1).endNs());
      }
    }
  }

  private static List<Phase> phasesOfProducts(boolean pinned) {
    List<Phase> phases = new CopyOnWriteArrayList<>();
    try (FakeGpu gpu = FakeGpu.lazy();
        Engine engine = gpu.open("cuda:0:loop-byte", phases::add);
        RandomProducts products = new RandomProducts(engine, pinned)) {
      engine.allocate(Gf256.DEFAULT, 1, N, 64).close(); // which makes tables of the field
      phases.clear();
      ByteMatrices sources = products.matrices(GENERATIONS, N, K, 0, 0);
      ByteMatrices coefficients = products.matrices(GENERATIONS, N, N, 0, 0);
      ByteMatrices target = products.matrices(GENERATIONS, N, K, 0, 0);
      engine.products().multiply(Gf256.DEFAULT, coefficients, sources, target);
      return List.copyOf(phases);
    }
  }
}
