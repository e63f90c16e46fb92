package io.fieldstone.weights.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Permutations: printed, they are read as the same. */
public class PermutationFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    Permutation permutation;
    try {
      permutation = Permutation.parse(new String(data, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    String text =
        permutation.images().stream().map(String::valueOf).collect(Collectors.joining(" "));
    assertThat(Permutation.parse(text)).isEqualTo(permutation);
  }

  @Test
  void replays() throws Exception {
    Replay.run(PermutationFuzzTest.class, PermutationFuzzTest::fuzzerTestOneInput);
  }
}
