package io.fieldstone.cli.codes;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.weights.codes.CodeFamily;
import io.fieldstone.weights.distance.CosetWeights;
import io.fieldstone.weights.distance.WordSpace;
import org.junit.jupiter.api.Test;

class CosetRunTest {

  private static final long GIBIBYTE = 1 << 30;

  @Test
  void refusesMoreThanThreeQuartersOfTheHeap() {
    CosetWeights cosets = CosetWeights.of(WordSpace.of(CodeFamily.parse("bch:63,30")), 1);

    assertThatCode(() -> CosetRun.requireMemory(cosets, 3 * GIBIBYTE)).doesNotThrowAnyException();
    assertThatThrownBy(() -> CosetRun.requireMemory(cosets, 2 * GIBIBYTE))
        .isInstanceOf(Failure.class)
        .hasMessage(
            "2^33 cosets take 2.0 GiB, but the JVM has 2.0 GiB of heap:"
                + " set FIELDSTONE_JAVA_OPTS=-Xmx… for more");
  }
}
