package io.fieldstone.cuda.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.Module;
import org.junit.jupiter.api.Test;

class KernelImageTest {

  @Test
  void loadsAFatbinByTheNameOfItsSource() {
    try (var fake = new FakeDriver(1).kernel("proof", 8, (shape, arguments) -> {})) {
      try (Context context = fake.driver().devices().getFirst().open();
          Module module = KernelImage.load(context, "proof")) {
        assertThat(module.function("proof").name()).isEqualTo("proof");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> KernelImage.load(context, "none"))
            .withMessageContaining("none.fatbin");
      }
      assertThat(fake.leaks()).isEmpty();
    }
  }
}
