package io.fieldstone.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TieredTest {

  /** Kernels by the time that their trial takes. */
  private enum Kernel {
    PLAIN,
    VECTORS
  }

  private final AtomicInteger calls = new AtomicInteger();

  /** A trial in which vectors are faster from their tenth run on. */
  private final class Trial implements Tiered.Trial<Kernel> {
    private int runs;

    @Override
    public void callLoops(Kernel kernel) {
      calls.incrementAndGet();
    }

    @Override
    public void run(Kernel kernel) {
      long spinNs = kernel == Kernel.VECTORS && ++runs > 10 ? 0 : 200_000;
      SpinThenPark.spin(() -> false, spinNs);
    }
  }

  private Tiered<Kernel> tiered(double threshold) {
    return new Tiered<>("plain", Kernel.PLAIN, Kernel.VECTORS, 2, threshold, Trial::new);
  }

  @Test
  void vectorsTakeOverOnceTheyAreFaster() {
    try (Tiered<Kernel> kernels = tiered(0)) {
      assertThat(kernels.current()).isEqualTo(Kernel.PLAIN);
      kernels.awaitCompiled();
      assertThat(kernels.current()).isEqualTo(Kernel.VECTORS);
      assertThat(kernels.isCompiled()).isTrue();
      assertThat(calls.get()).isPositive();
    }
  }

  @Test
  void littleWorkStartsNoThread() {
    try (Tiered<Kernel> kernels = tiered(100)) {
      for (int i = 0; i < 9; i++) {
        assertThat(kernels.current(10)).isEqualTo(Kernel.PLAIN);
      }
      assertThat(calls).hasValue(0);
      assertThat(kernels.current(10)).isEqualTo(Kernel.PLAIN);
      kernels.awaitCompiled();
      assertThat(kernels.current(10)).isEqualTo(Kernel.VECTORS);
    }
  }

  @Test
  void closingEndsTheThread() {
    Tiered<Kernel> kernels = tiered(0);
    kernels.close();
    kernels.awaitCompiled();
    assertThat(kernels.isCompiled()).isFalse();
  }
}
