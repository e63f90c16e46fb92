package io.fieldstone.spark;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The engines of an executor. Tasks share them, and they stay open as long as the JVM, because an
 * executor runs many short tasks.
 */
public final class ExecutorEngine {

  /** The specification by which an engine is chosen for each task. */
  public static final String AUTO = "auto";

  private static final String GPU = "gpu";
  private static final String CORES = "cpu";

  /** An engine by its name and its threads. */
  private record Key(String spec, int threads) {}

  private static final Map<Key, Engine> OPEN = new ConcurrentHashMap<>();

  private ExecutorEngine() {}

  /**
   * Returns the engine of the running task. {@link #AUTO} is the GPU that Spark has assigned to the
   * task ({@code spark.task.resource.gpu.amount}), else the cores: other tasks may use the GPUs of
   * the machine. The engine has as many threads as the task has cores ({@code spark.task.cpus}).
   *
   * @param spec {@link #AUTO}, or a name that {@link Engine#open} knows
   * @throws IllegalArgumentException if the engine is not available on this executor
   */
  public static Engine ofTask(String spec) {
    TaskContext task = TaskContext.get();
    int threads = task == null ? Runtime.getRuntime().availableProcessors() : task.cpus();
    String name = spec.equals(AUTO) ? assigned(task) : spec;
    return OPEN.computeIfAbsent(
        new Key(name, threads), key -> Engine.open(key.spec, new EngineOptions(key.threads)));
  }

  private static String assigned(@Nullable TaskContext task) {
    if (task == null) {
      return AUTO;
    }
    ResourceInformation gpu = CollectionConverters.asJava(task.resources()).get(GPU);
    return gpu == null || gpu.addresses().length == 0 ? CORES : "cuda:" + gpu.addresses()[0];
  }
}
