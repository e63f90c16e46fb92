package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.MissingPortException;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The cores together with an engine that has some ports only. */
class PartialPartsTest {

  private record Partial(String spec, Engine cores, Ports ports) implements Engine {

    @Override
    public EngineKind kind() {
      return EngineKind.GPU;
    }

    @Override
    public String description() {
      return "counts and divides";
    }

    @Override
    public <P> Optional<P> find(Class<P> port) {
      return ports.find(port);
    }

    @Override
    public void close() {
      cores.close();
    }
  }

  private static Engine open(String spec) {
    if (!spec.equals("partial")) {
      return Engine.open(spec);
    }
    Engine cores = Engine.open("cpu:scalar");
    return new Partial(
        spec,
        cores,
        Ports.of(WeightCounts.class, () -> twice(cores.weightCounts()))
            .with(Checksums.class, cores::checksums));
  }

  /** Counts each word twice, which shows who has counted it. */
  private static WeightCounts twice(WeightCounts port) {
    return (basis, offsets, multiplicities, counts) -> {
      port.count(basis, offsets, multiplicities, counts);
      port.count(basis, offsets, multiplicities, counts);
    };
  }

  private static Engine hybrid() {
    return HybridSpec.parse("cpu+partial", List.of()).open(PartialPartsTest::open);
  }

  @Test
  void portsOfEveryPartAndThoseOfOnePartAreThere() {
    try (Engine engine = hybrid()) {
      assertThat(Conformance.of(engine).missing())
          .containsExactly(
              "BlockMemory",
              "ByteMemory",
              "Eliminations",
              "InformationSetTrials",
              "LightSums",
              "PairCounts",
              "Products",
              "Substitutions");
    }
  }

  @Test
  void everyPartDividesAndTheCoresSort() {
    try (Engine engine = hybrid()) {
      Divisor divisor = new Divisor(Gf2Modulus.of(16, 0x1021), false);
      byte[] message = "123456789".getBytes(StandardCharsets.US_ASCII);
      assertThat(engine.checksums().methods(divisor)).contains("bitwise", "slicing-16");
      assertThat(engine.checksums().division(divisor).append(0, MemorySegment.ofArray(message)))
          .isEqualTo(0x31C3);
      int[] keys = {3, 1, 2};
      assertThat(engine.sorts().methods(RecordFormat.of(KeyType.I32))).contains("lsd");
      engine.sorts().sorting(RecordFormat.of(KeyType.I32)).sort(MemorySegment.ofArray(keys));
      assertThat(keys).containsExactly(1, 2, 3);
    }
  }

  @Test
  void thePartThatIsNotTheCoresCountsWords() {
    try (Engine engine = hybrid()) {
      WeightCounts counts = engine.weightCounts();
      long[] weights = new long[4];
      BinaryWords two = new BinaryWords(MemorySegment.ofArray(new long[] {1, 0, 6, 0}), 2, 3);
      BinaryWords zero = new BinaryWords(MemorySegment.ofArray(new long[2]), 1, 3);
      counts.count(two, zero, new long[] {1}, weights);
      assertThat(weights).containsExactly(2, 2, 2, 2);
    }
  }

  @Test
  void aJobThatAPartCannotShareIsRefused() {
    try (Engine engine = hybrid()) {
      assertThat(engine.find(PairCounts.class)).isEmpty();
      assertThatThrownBy(engine::products)
          .isInstanceOf(MissingPortException.class)
          .hasMessage("engine 'cpu+partial' has no port Products");
    }
  }
}
