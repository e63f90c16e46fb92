package io.fieldstone.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloserTest {

  private final List<String> closed = new ArrayList<>();
  private final Closer closer = new Closer();

  private AutoCloseable resource(String name) {
    return () -> closed.add(name);
  }

  @Test
  void closesTheLatestFirst() {
    AutoCloseable first = resource("first");
    assertThat(closer.register(first)).isSameAs(first);
    closer.register(resource("second"));
    closer.close();
    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void closesAllThoughSomeFail() {
    IllegalArgumentException failure = new IllegalArgumentException("it is stuck");
    IOException suppressed = new IOException("so is this");
    closer.register(resource("first"));
    closer.register(() -> {
      throw suppressed;
    });
    closer.register(() -> {
      throw failure;
    });
    assertThatThrownBy(closer::close).isSameAs(failure).hasSuppressedException(suppressed);
    assertThat(closed).containsExactly("first");
  }

  @Test
  void namesTheCauseOfACheckedFailure() {
    IOException failure = new IOException("it is stuck");
    closer.register(() -> {
      throw failure;
    });
    assertThatThrownBy(closer::close).isInstanceOf(IllegalStateException.class).hasCause(failure);
  }
}
