package io.fieldstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;

class ExecutorEngineTest {

  private static final Set<Engine> USED = ConcurrentHashMap.newKeySet();

  /** The second attempt of the task runs in the same JVM, which has the failed engine still. */
  @Test
  void aFailedEngineIsNotUsedAgain() {
    LocalSpark.CONTEXT
        .parallelize(List.of(1), 1)
        .foreach(_ -> {
          USED.add(ExecutorEngine.ofTask("cpu:scalar"));
          if (TaskContext.get().attemptNumber() == 0) {
            throw new IOException(new EngineFailedException("lost", new IOException()));
          }
        });
    assertThat(USED).hasSize(2);
  }
}
