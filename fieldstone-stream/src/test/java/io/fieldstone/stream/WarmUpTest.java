package io.fieldstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WarmUpTest {

  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch computing = new CountDownLatch(1);
  private final AtomicInteger tooEarly = new AtomicInteger();

  /** An engine that compiles for a moment, and sees whether somebody computes meanwhile. */
  private Engine engine() {
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (_, method, _) -> {
              assertThat(method.getName()).isEqualTo("warmUp");
              calls.incrementAndGet();
              tooEarly.addAndGet(computing.await(100, TimeUnit.MILLISECONDS) ? 1 : 0);
              return null;
            });
  }

  @Test
  void longJobsComputeAfterTheLoopsAreCompiled() throws Exception {
    WarmUp warmUp = new WarmUp(engine(), Gf256.DEFAULT, true);
    warmUp.start();
    warmUp.await();
    computing.countDown();
    warmUp.await();
    assertThat(calls).hasValue(1);
    assertThat(tooEarly).hasValue(0);
  }

  @Test
  void shortJobsDoNotWait() throws Exception {
    WarmUp warmUp = new WarmUp(engine(), Gf256.DEFAULT, false);
    warmUp.start();
    warmUp.await();
    assertThat(calls).hasValue(0);
  }
}
