package io.fieldstone.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.MissingPortException;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.terrain.LinesOfSight;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.CodeFamily;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Engines of third parties, which have only the ports that they need. */
@Execution(ExecutionMode.CONCURRENT)
class OnePortTest {

  private record Partial(Ports ports) implements Engine {

    @Override
    public String spec() {
      return "partial";
    }

    @Override
    public EngineKind kind() {
      return EngineKind.CPU;
    }

    @Override
    public String description() {
      return "some ports of another engine";
    }

    @Override
    public <P> Optional<P> find(Class<P> port) {
      return ports.find(port);
    }

    @Override
    public void close() {}
  }

  static List<Class<?>> ports() {
    return List.of(
        Products.class,
        Eliminations.class,
        Substitutions.class,
        BlockMemory.class,
        WeightCounts.class,
        PairCounts.class,
        WeightTransforms.class,
        LightSums.class,
        InformationSetTrials.class,
        WalshCounts.class,
        Checksums.class,
        PolynomialSieve.class,
        Sorts.class,
        ByteMemory.class,
        Stars.class,
        LinesOfSight.class);
  }

  /** Returns the ports that read or write memory of the caller. */
  static List<Class<?>> portsOfMemory() {
    List<Class<?>> all = new ArrayList<>(ports());
    all.remove(PolynomialSieve.class);
    all.remove(WalshCounts.class);
    return all;
  }

  private static <P> Engine only(Class<P> port, Engine engine) {
    return new Partial(Ports.of(port, () -> engine.find(port).orElseThrow()));
  }

  @Test
  void anEngineConformsInItsOnlyPort() {
    try (Engine cores = Engine.open("cpu")) {
      Engine counter = only(WeightCounts.class, cores);
      assertThat(Conformance.of(counter).run(3))
          .allMatch(CheckResult::passed)
          .extracting(CheckResult::name)
          .contains("weights of cosets", "misuse of words", "concurrent use by 4 threads");
    }
  }

  @ParameterizedTest
  @MethodSource("ports")
  void checksCallTheirOwnPortsOnly(Class<?> port) {
    try (Engine cores = Engine.open("cpu")) {
      Conformance suite = Conformance.of(only(port, cores));
      List<CheckResult> results = suite.oneIn(1000).run(3);

      assertThat(results).hasSize(suite.size()).hasSizeGreaterThan(1);
      assertThat(results).allMatch(CheckResult::passed);
      assertThat(suite.missing())
          .containsExactlyInAnyOrderElementsOf(
              ports().stream()
                  .filter(each -> !each.equals(port))
                  .map(Class::getSimpleName)
                  .toList());
    }
  }

  @ParameterizedTest
  @MethodSource("portsOfMemory")
  void callsOfItsPortAreRaced(Class<?> port) {
    try (Engine cores = Engine.open("cpu")) {
      assertThat(MemoryRaces.run(only(port, cores), 1, Duration.ZERO, 3000)).startsWith("partial");
    }
  }

  @Test
  void theCoresLackNoPort() {
    try (Engine cores = Engine.open("cpu")) {
      assertThat(Conformance.of(cores).missing()).isEmpty();
    }
  }

  @Test
  void jobsOfItsPortRunAndOthersNameThePort() {
    try (Engine cores = Engine.open("cpu")) {
      Engine engine = only(WeightCounts.class, cores);
      assertThat(JointWeights.of(CodeFamily.parse("golay:24"), engine).single().count(8))
          .isEqualTo(BigInteger.valueOf(759));
      assertThatThrownBy(engine::products)
          .isInstanceOf(MissingPortException.class)
          .hasMessage("engine 'partial' has no port Products");
      GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 4, 16);
      assertThatThrownBy(() -> new Encoder(engine, shape, 0, 1, new byte[64]))
          .isInstanceOf(MissingPortException.class)
          .hasMessage("engine 'partial' has no port BlockMemory");
    }
  }

  @Test
  void nothingToCheckIsRefused() {
    try (Engine cores = Engine.open("cpu")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Conformance.ofSorting(only(Stars.class, cores)))
          .withMessage("engine 'partial' has none of the ports to check: ByteMemory, Sorts");
    }
  }

  @Test
  void aPortHasOneType() {
    Ports ports =
        Ports.of(
            ByteMemory.class,
            () ->
                _ -> {
                  throw new IllegalStateException("no memory");
                });
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ports.with(ByteMemory.class, () -> ports.find(ByteMemory.class).get()))
        .withMessage("two ports ByteMemory");
  }
}
