package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.Permutation;
import java.util.List;
import org.junit.jupiter.api.Test;

class SideExchangeTest {

  private static WordSpace xOperators(Gf2Matrix x, Gf2Matrix z) {
    return WordSpace.outside(z, x);
  }

  private static WordSpace zOperators(Gf2Matrix x, Gf2Matrix z) {
    return WordSpace.outside(x, z);
  }

  /** Both indices of the gross code are negated, and its halves exchanged. */
  @Test
  void mapsTheSidesOfBicycleCodes() {
    Gf2Matrix x = KnownCodes.grossX();
    Gf2Matrix z = KnownCodes.grossZ();
    Permutation exchange = SideExchange.find(xOperators(x, z), zOperators(x, z)).orElseThrow();
    LightWord word = new LightWord(List.of(1, 18, 25, 40, 71, 75, 82, 83, 100, 107, 123, 139));

    assertThat(exchange.images().get(0)).isEqualTo(72);
    assertThat(exchange.images().get(7)).isEqualTo(72 + 71);
    assertThat(xOperators(x, z).contains(word)).isTrue();
    assertThat(zOperators(x, z).contains(word)).isFalse();
    assertThat(zOperators(x, z).contains(word.image(exchange))).isTrue();
  }

  @Test
  void mapsEqualSidesByTheIdentity() {
    Gf2Matrix steane = Gf2Matrix.of("1010101", "0110011", "0001111");

    assertThat(SideExchange.find(xOperators(steane, steane), zOperators(steane, steane)))
        .contains(new Permutation(List.of(0, 1, 2, 3, 4, 5, 6)));
  }

  /** Equal dimensions, but distances of 1 and 2; and a map that moves a stabilizer out. */
  @Test
  void findsNoneOfOtherSides() {
    Gf2Matrix x = Gf2Matrix.of("1100");
    Gf2Matrix z = Gf2Matrix.of("1111");

    assertThat(SideExchange.find(xOperators(x, z), zOperators(x, z))).isEmpty();
    Gf2Matrix shor = Gf2Matrix.of("111111000", "000111111");
    Gf2Matrix pairs =
        Gf2Matrix.of("110000000", "011000000", "000110000", "000011000", "000000110", "000000011");
    assertThat(SideExchange.find(xOperators(shor, pairs), zOperators(shor, pairs))).isEmpty();
  }
}
