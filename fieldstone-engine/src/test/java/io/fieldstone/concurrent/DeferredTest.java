package io.fieldstone.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeferredTest {

  private final AtomicInteger made = new AtomicInteger();

  private String make() {
    made.incrementAndGet();
    return "faster";
  }

  @Test
  void makesTheFasterKernelOnceThereIsEnoughWork() {
    Deferred<String> kernels = new Deferred<>("plain", this::make, 10);
    assertThat(kernels.current(4)).isEqualTo("plain");
    assertThat(kernels.current(5)).isEqualTo("plain");
    assertThat(kernels.ifMade()).isEmpty();
    assertThat(kernels.current(1)).isEqualTo("faster");
    assertThat(kernels.current(0)).isEqualTo("faster");
    assertThat(kernels.ifMade()).contains("faster");
    assertThat(made).hasValue(1);
  }

  @Test
  void makesTheFasterKernelForWorkToCome() {
    Deferred<String> kernels = new Deferred<>("plain", this::make, 10);
    kernels.expect(9);
    assertThat(kernels.current(1)).isEqualTo("plain");
    kernels.expect(10);
    kernels.expect(10);
    assertThat(kernels.current(1)).isEqualTo("faster");
    assertThat(made).hasValue(1);
  }

  @Test
  void aCallerMeetsTheFailureOfMakingIt() {
    Deferred<String> kernels =
        new Deferred<>(
            "plain",
            () -> {
              throw new IllegalStateException("missing");
            },
            10);
    kernels.expect(10);
    assertThatIllegalStateException().isThrownBy(() -> kernels.current(1)).withMessage("missing");
  }

  @Test
  void makesTheFasterKernelOnRequest() {
    Deferred<String> kernels = new Deferred<>("plain", this::make, 10);
    assertThat(kernels.faster()).isEqualTo("faster");
    assertThat(kernels.current(1)).isEqualTo("faster");
    assertThat(made).hasValue(1);
  }

  @Test
  void triesAgainAfterAFailure() {
    Deferred<String> kernels =
        new Deferred<>(
            "plain",
            () -> {
              if (made.getAndIncrement() == 0) {
                throw new IllegalStateException("first");
              }
              return "faster";
            },
            10);
    assertThatIllegalStateException().isThrownBy(kernels::faster);
    assertThat(kernels.current(1)).isEqualTo("plain");
    assertThat(kernels.faster()).isEqualTo("faster");
  }
}
