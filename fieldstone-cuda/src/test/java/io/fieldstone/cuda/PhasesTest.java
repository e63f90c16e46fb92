package io.fieldstone.cuda;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    assertThat(streams.keySet()).contains("cuda:0:loop-tile stream 1", "cuda:0:loop-tile stream 2");
    for (List<Phase> stream : streams.values()) {
      for (int i = 1; i < stream.size(); i++) {
        assertThat(stream.get(i).startNs()).isGreaterThanOrEqualTo(stream.get(i - 1).endNs());
      }
    }
  }

  private static List<Phase> phasesOfProducts(boolean pinned) {
    List<Phase> phases = new CopyOnWriteArrayList<>();
    try (FakeGpu gpu = FakeGpu.lazy();
        Engine engine = gpu.open("cuda:0:loop-tile", phases::add);
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

  /** PCRC, Figs. 4 to 7: the segments of a message cross the bus and are divided in streams. */
  @ParameterizedTest
  @CsvSource({"pcrc@128, 1, 1", "pcrc-reduction@128, 1, 1", "'pcrc-streams@128,2,4', 2, 4"})
  void aDivisionReportsItsTransfersAndKernels(String method, int streams, int segments) {
    List<Phase> phases = new CopyOnWriteArrayList<>();
    try (FakeGpu gpu = FakeGpu.lazy();
        Engine engine = gpu.open("cuda:0", phases::add);
        HostMemory message = engine.allocateHost(8 << 10)) {
      Division division =
          engine.checksums().division(new Divisor(Gf2Modulus.of(8, 0x1D), false), method);
      division.append(0, message.segment()); // which makes tables of the divisor
      phases.clear();
      division.append(0, message.segment());
    }
    Map<String, Long> bytes =
        phases.stream().collect(groupingBy(Phase::name, summingLong(Phase::bytes)));
    assertThat(bytes.keySet()).containsExactlyInAnyOrder("upload", "compute", "download");
    assertThat(bytes.get("upload")).isEqualTo(8 << 10);
    assertThat(bytes.get("download")).isEqualTo((8 << 10) / 128 * Long.BYTES);
    assertThat(phases.stream().filter(phase -> phase.name().equals("compute"))).hasSize(segments);
    assertThat(phases.stream().map(Phase::track).distinct()).hasSize(streams);
  }

  /** The radix paper, Figs. 3 and 4: all pairs cross the bus in both directions. */
  @ParameterizedTest
  @ValueSource(strings = "serial")
  void aSortOfPairsReportsItsTransfersAndKernels(String method) {
    int count = 1000;
    List<Phase> phases = new CopyOnWriteArrayList<>();
    try (FakeGpu gpu = FakeGpu.lazy();
        Engine engine = gpu.open("cuda:0", phases::add);
        HostMemory pairs = engine.allocateHost(count * 2 * Integer.BYTES);
        HostMemory sorted = engine.allocateHost(count * 2 * Integer.BYTES)) {
      RecordFormat format = RecordFormat.of(KeyType.I32).withPayload(Integer.BYTES);
      engine.sorts().sorting(format, method).sort(pairs.segment(), sorted.segment());
    }
    Map<String, Long> bytes =
        phases.stream().collect(groupingBy(Phase::name, summingLong(Phase::bytes)));
    assertThat(bytes.get("upload")).isEqualTo(count * 2 * Integer.BYTES);
    assertThat(bytes.get("download")).isEqualTo(count * 2 * Integer.BYTES);
    assertThat(bytes.keySet()).contains("sort");
  }
}
