package io.fieldstone.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.codes.Permutation;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodesTest {

  @Test
  void bchCodesHaveTheGeneratorsOfTheTables() {
    int tried = 0;
    for (String line : ReferenceCodes.lines("generator_polynomials.csv")) {
      String[] fields = line.split(",");
      if (fields[0].startsWith("bch_")) {
        int length = Integer.parseInt(fields[1]);
        BigInteger polynomial = new BigInteger(fields[3].substring(2), 16);
        assertThat(new BigInteger(fields[4], 8)).isEqualTo(polynomial);
        assertThat(CodeFamily.parse("bch:" + length + "," + fields[2]))
            .isEqualTo(CodeFamily.cyclic(length, polynomial));
        tried++;
      }
    }
    assertThat(tried).isGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource({
    "hamming:3, 7, 4, 3",
    "simplex:4, 15, 4, 8",
    "golay:23, 23, 12, 7",
    "golay:24, 24, 12, 8",
    "'rm:1,5', 32, 6, 16",
    "'rm:2,5', 32, 16, 8",
    "'bch:15,7', 15, 7, 5",
    "'bch:63,d=27', 63, 10, 27",
    "'bch:255,9', 255, 9, 127",
    "'cyclic:7,0xB', 7, 4, 3",
    "extended:hamming:3, 8, 4, 4",
    "dual:golay:24, 24, 12, 8"
  })
  void families(String name, int length, int dimension, int distance) {
    BinaryCode code = CodeFamily.parse(name);
    assertThat(CodeFamily.isName(name)).isTrue();
    assertThat(code.length()).isEqualTo(length);
    assertThat(code.dimension()).isEqualTo(dimension);
    try (Engine engine = Engine.open("cpu")) {
      assertThat(JointWeights.of(code, engine).single().minimumDistance()).hasValue(distance);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'bch:127,23', 'k = 120, 113, 106, 99, 92, 85, 78, 71, 64, 57, 50, 43, 36, 29, 22, 15, 8'",
    "'bch:100,23', 127",
    "'bch:127', numbers",
    "'bch:127,d=1', 'designed distance 1'",
    "golay:22, 23…24",
    "'rm:3,2', 'r 3'",
    "hamming:9, 'r 9'",
    "'cyclic:7,F', 0xF",
    "'cyclic:300,B', 'length 300'",
    "'cyclic:7,G', hexadecimal",
    "turbo:3, golay",
    "plain, golay",
    "'extended:rm:1,8', 257"
  })
  void unknownNamesListTheKnownOnes(String name, String part) {
    assertThatThrownBy(() -> CodeFamily.parse(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(part);
  }

  @Test
  void dependentRowsAreNamed() {
    Gf2Matrix matrix = Gf2Matrix.of("1100", "0110", "1010", "0001", "0000");
    assertThat(BinaryCode.dependentRows(matrix)).containsExactly(2, 4);
    assertThatThrownBy(() -> BinaryCode.of(matrix))
        .hasMessage("rows [5] (from 1) of the generator matrix are zero");
    assertThatThrownBy(() -> BinaryCode.of(Gf2Matrix.of("1100", "0110", "1010", "0001")))
        .hasMessageContaining("[3]");
    assertThat(BinaryCode.spannedBy(matrix).generator())
        .isEqualTo(Gf2Matrix.of("1100", "0110", "0001"));
  }

  @Test
  void parityChecksAndDuals() {
    BinaryCode code = ReferenceCodes.code("bch_31_16");
    assertThat(BinaryCode.ofParityCheck(code.parityCheck())).isEqualTo(code);
    assertThat(code.dual().dual()).isEqualTo(code);
    assertThat(code.systematic().pivotColumns()).hasSize(16);
    assertThat(code.isCyclic()).isTrue();
    assertThat(code.hasAllOnes()).isTrue();
    assertThat(code.extended().isCyclic()).isFalse();
    assertThat(code.toString()).isEqualTo("(31,16)");
    assertThat(ReferenceCodes.code("rm_2_5")).isEqualTo(CodeFamily.reedMuller(2, 5));
  }

  @Test
  void permutations() {
    assertThat(Permutation.parse("1, 2 0").images()).isEqualTo(List.of(1, 2, 0));
    assertThatThrownBy(() -> Permutation.parse("1 1 0"))
        .hasMessageContaining("position 1 is mapped to 1");
    assertThatThrownBy(() -> Permutation.parse("0 3 1")).hasMessageContaining("not in 0…2");
    assertThatThrownBy(() -> Permutation.parse("0 x")).hasMessageContaining("'x' at position 1");
    assertThatThrownBy(() -> CodeFamily.hamming(3).requireAutomorphism(Permutation.shift(8)))
        .hasMessageContaining("8 positions");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hamming:4", "golay:24", "rm:1,5", "bch:63,10", "simplex:8"})
  void dualDistributionsAreThoseOfTheDual(String name) {
    BinaryCode code = CodeFamily.parse(name);
    try (Engine engine = Engine.open("cpu")) {
      WeightDistribution single = JointWeights.of(code, engine).single();
      assertThat(JointWeights.of(code.dual(), engine).single()).isEqualTo(single.dual());
      assertThat(single.dual().dual()).isEqualTo(single);
    }
  }

  @Test
  void aDistributionOfNoLinearCodeHasNoDual() {
    List<BigInteger> counts =
        List.of(BigInteger.ONE, BigInteger.ZERO, BigInteger.TWO, BigInteger.ZERO);
    assertThatThrownBy(() -> new WeightDistribution(counts).dual())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
