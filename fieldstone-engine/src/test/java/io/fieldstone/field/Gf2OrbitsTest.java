package io.fieldstone.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class Gf2OrbitsTest {

  /** Orbits under rotation are necklaces: 352 of 12 beads in two colours. */
  @Test
  void rotationsMakeNecklaces() {
    List<Integer> rotation = IntStream.range(0, 12).mapToObj(bit -> 1 << (bit + 1) % 12).toList();
    List<Integer> sizes = new ArrayList<>();
    new Gf2Orbits(12, List.of(rotation)).forEach((_, size) -> sizes.add(size));
    assertThat(sizes).hasSize(352);
    assertThat(sizes.stream().mapToInt(size -> size).sum()).isEqualTo(1 << 12);
    assertThat(sizes).allMatch(size -> 12 % size == 0);
  }

  @Test
  void withoutMapsEveryVectorIsAnOrbit() {
    List<Integer> vectors = new ArrayList<>();
    new Gf2Orbits(3, List.of()).forEach((vector, _) -> vectors.add(vector));
    assertThat(vectors).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    vectors.clear();
    new Gf2Orbits(0, List.of()).forEach((vector, _) -> vectors.add(vector));
    assertThat(vectors).containsExactly(0);
  }

  @Test
  void shapesAreChecked() {
    assertThatThrownBy(() -> new Gf2Orbits(31, List.of())).hasMessageContaining("31 bits");
    assertThatThrownBy(() -> new Gf2Orbits(2, List.of(List.of(1))))
        .hasMessageContaining("1 images");
  }
}
