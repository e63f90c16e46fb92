package io.fieldstone.testing;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves its thread interrupted, and clears the status. Otherwise a later test
 * that waits on this thread would fail. JUnit finds this class through {@code META-INF/services}.
 */
public final class InterruptedThreads implements AfterEachCallback {

  @Override
  public void afterEach(ExtensionContext context) {
    if (Thread.interrupted()) {
      throw new AssertionError("the test has left its thread interrupted");
    }
  }
}
