package io.fieldstone.net.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class HeapExhaustionTest {

  /** Returns what reaches the handler of a thread that reports an error. */
  private static List<Throwable> reported(Throwable error) throws Exception {
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    Thread thread =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, each) -> reported.add(each))
            .start(() -> HeapExhaustion.report(error));
    thread.join();
    return reported;
  }

  @Test
  void onlyAnExhaustedHeapReachesTheHandler() throws Exception {
    OutOfMemoryError heap = new OutOfMemoryError("Java heap space");
    assertThat(reported(heap)).containsExactly(heap);
    assertThat(reported(new OutOfMemoryError("GC overhead limit exceeded"))).hasSize(1);
    assertThat(reported(new OutOfMemoryError("unable to create native thread"))).isEmpty();
    assertThat(reported(new OutOfMemoryError("Cannot reserve 65536 bytes of direct buffer memory")))
        .isEmpty();
    assertThat(reported(new OutOfMemoryError())).isEmpty();
    assertThat(reported(new IllegalStateException("Java heap space"))).isEmpty();
  }
}
