package io.fieldstone.crc.detection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.crc.CrcValue;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.field.Gf2Modulus;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class UndetectedErrorsTest {

  /** The numbers of CRC-16-CCITT at 48 data bits on Philip Koopman's pages. */
  @Test
  void countsOfCcittAt48Bits() {
    UndetectedErrors errors = UndetectedErrors.of(CrcValue.parse(16, "1021"), 48);

    assertThat(errors.distance()).isEqualTo(4);
    assertThat(errors.count(4)).isEqualTo(84);
    assertThat(errors.count(5)).isEqualTo(0);
    assertThat(errors.count(6)).isEqualTo(2430);
    assertThat(errors.count(8)).isEqualTo(133001);
  }

  /**
   * CRC-32 at 12,112 data bits, of which Koopman published A4 = 223059 in 2002. Takes 2^32 steps:
   * {@code -Dfieldstone.weights=true} runs it.
   */
  @Test
  @EnabledIfSystemProperty(named = "fieldstone.weights", matches = "true")
  void countsOfCrc32At12112Bits() {
    UndetectedErrors errors = UndetectedErrors.of(CrcValue.parse(32, "04c11db7"), 12_112);

    assertThat(errors.counts(6))
        .containsExactly(
            BigInteger.ZERO,
            BigInteger.ZERO,
            BigInteger.ZERO,
            BigInteger.ZERO,
            BigInteger.valueOf(223_059),
            BigInteger.valueOf(510_671_733),
            BigInteger.valueOf(1_035_951_197_005L));
    assertThat(errors.probability(1e-3)).isCloseTo(2.324e-10, within(1e-13));
    assertThat(errors.probability(1e-4)).isCloseTo(8.512e-12, within(1e-15));
    assertThat(errors.probability(1e-5)).isCloseTo(2.022e-15, within(1e-18));
    assertThat(errors.probability(1e-6)).isCloseTo(2.209e-19, within(1e-22));
  }

  @Test
  void countsAndProbabilitiesAreThoseOfAllWords() {
    Random random = new Random(12);
    for (int width = 1; width <= 14; width++) {
      CrcValue poly = CrcValue.of(width, random.nextInt(1 << width) | 1);
      int bits = 1 + random.nextInt(10);
      UndetectedErrors errors = UndetectedErrors.of(poly, bits);
      List<BigInteger> expected = new ArrayList<>();
      long[] words = ShortMessages.weights(Gf2Modulus.of(width, poly.toLong()), bits);
      double probability = 0;
      for (int weight = 0; weight < words.length; weight++) {
        expected.add(BigInteger.valueOf(words[weight]));
        probability +=
            words[weight] * Math.pow(0.1, weight) * Math.pow(0.9, words.length - 1.0 - weight);
      }

      assertThat(errors.length()).isEqualTo(bits + width);
      assertThat(errors.counts(bits + width)).as("%s, %d bits", poly, bits).isEqualTo(expected);
      assertThat(errors.probability(0.1)).isCloseTo(probability, within(1e-12));
      assertThat(errors.probability(0)).isZero();
    }
  }

  @Test
  void windowsHaveTheWeightsOfTransforms() {
    try (Engine oracle = Engine.open("cpu:scalar")) {
      for (Gf2Modulus modulus :
          List.of(Gf2Modulus.of(9, 0x11), Gf2Modulus.of(12, 0x53), Gf2Modulus.of(17, 0x9))) {
        for (int length : List.of(modulus.degree(), 100, 5000)) {
          int[] powers = new int[length];
          for (int i = 0; i < length; i++) {
            powers[i] = (int) modulus.xToThe(i);
          }
          assertThat(DualWeights.windows(modulus, length))
              .isEqualTo(oracle.walshCounts().count(powers, modulus.degree()));
        }
      }
    }
  }

  /** An engine of another kind than the cores, with their port. */
  private record Accelerator(Engine cores) implements Engine {

    @Override
    public String spec() {
      return "accelerator";
    }

    @Override
    public EngineKind kind() {
      return EngineKind.GPU;
    }

    @Override
    public String description() {
      return spec();
    }

    @Override
    public <P> Optional<P> find(Class<P> port) {
      return cores.find(port);
    }

    @Override
    public void close() {
      cores.close();
    }
  }

  @Test
  void enginesOfAnyKindCountTheSame() {
    try (Engine cores = Engine.open("cpu");
        Engine accelerator = new Accelerator(Engine.open("cpu"))) {
      for (String poly : List.of("1021", "8005", "0003")) {
        CrcValue value = CrcValue.parse(16, poly);
        UndetectedErrors expected = UndetectedErrors.of(value, 90);
        assertThat(UndetectedErrors.of(value, 90, cores).counts(106))
            .isEqualTo(expected.counts(106));
        assertThat(UndetectedErrors.of(value, 90, accelerator).counts(106))
            .isEqualTo(expected.counts(106));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> UndetectedErrors.of(CrcValue.ones(33), 1000, accelerator))
          .withMessageContaining("at most 32");
    }
  }

  @Test
  void wideCrcsOfShortMessagesAreEnumerated() {
    CrcValue poly = CrcValue.parse(64, "42F0E1EBA9EA3693");
    UndetectedErrors errors = UndetectedErrors.of(poly, 12);

    assertThat(errors.counts(76).stream().reduce(BigInteger.ONE, BigInteger::add))
        .isEqualTo(1 << 12);
    assertThat(errors.distance())
        .isEqualTo(ShortMessages.distances(Gf2Modulus.of(64, poly.toLong()), 12)[11]);
    assertThat(errors.probability(0.5)).isCloseTo(4095 * Math.pow(0.5, 76), within(1e-30));
    assertThat(UndetectedErrors.supports(64, 1000)).isFalse();
  }

  @Test
  void refusesOtherInput() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UndetectedErrors.of(CrcValue.ones(33), 1000))
        .withMessageContaining("at most 32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UndetectedErrors.of(CrcValue.of(8, 6), 10))
        .withMessageContaining("no constant term");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UndetectedErrors.of(CrcValue.of(8, 7), 10).probability(0.7))
        .withMessageContaining("0.7");
  }
}
