package io.fieldstone.cli.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutOfMemoryEndTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<Throwable> others = new ArrayList<>();
  private int halts;

  private final OutOfMemoryEnd end =
      new OutOfMemoryEnd((_, each) -> others.add(each), err, () -> halts++);

  @Test
  void anExhaustedHeapEndsTheProcessWithOneLine() {
    end.uncaughtException(Thread.currentThread(), new OutOfMemoryError("Java heap space"));

    assertThat(halts).isEqualTo(1);
    assertThat(err.toString(UTF_8))
        .matches(
            "fieldstone: out of memory: the JVM has [0-9.]+ [A-Za-z]+ of heap; set"
                + " FIELDSTONE_JAVA_OPTS=-Xmx… for more\\R");
    assertThat(others).isEmpty();
  }

  @Test
  void otherErrorsGoToTheHandlerBefore() {
    List<Throwable> errors =
        List.of(
            new IllegalStateException("bug"),
            new OutOfMemoryError("unable to create native thread"));
    errors.forEach(each -> end.uncaughtException(Thread.currentThread(), each));

    assertThat(others).isEqualTo(errors);
    assertThat(halts).isZero();
    assertThat(err.size()).isZero();
  }
}
