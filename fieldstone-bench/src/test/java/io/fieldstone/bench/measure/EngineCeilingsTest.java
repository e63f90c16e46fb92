package io.fieldstone.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Ceiling;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineCeilingsTest {

  @Test
  void unitsOfTheTensorCeilingAreConverted() {
    assertThat(new EngineCeilings(List.of(new Ceiling("tensor", 7744, "T bit-MAC/s"))).tensorRate())
        .hasValue(121_000);
    assertThat(new EngineCeilings(List.of(new Ceiling("tensor", 121, "T GF-MAC/s"))).tensorRate())
        .hasValue(121_000);
    assertThat(new EngineCeilings(List.of(new Ceiling("tensor", 5, "G GF-MAC/s"))).tensorRate())
        .hasValue(5);
  }

  @Test
  void ceilingsAreFoundByName() {
    EngineCeilings bus =
        new EngineCeilings(
            List.of(new Ceiling("bus, up", 54, "GB/s"), new Ceiling("bus, down", 55, "GB/s")));
    assertThat(bus.slowerDirection()).hasValue(54);
    assertThat(bus.tensorRate()).isEmpty();
    assertThat(new EngineCeilings(List.of()).slowerDirection()).isEmpty();
  }
}
