package io.fieldstone.spark;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The engines of an executor. Tasks share them, and they stay open as long as the JVM, because an
 * executor runs many short tasks. One that fails in a task is given to no later task.
 */
public final class ExecutorEngine {

  /** The specification by which an engine is chosen for each task. */
  public static final String AUTO = "auto";

  private static final String GPU = "gpu";
  private static final String GPUS_OF_TASK = "spark.task.resource.gpu.amount";
  private static final String CORES = "cpu";

  /** An engine by its name and its threads. */
  private record Key(String spec, int threads) {}

  private static final Map<Key, Engine> OPEN = new ConcurrentHashMap<>();

  private ExecutorEngine() {}

  /**
   * Returns the engine of the running task. {@link #AUTO} is the GPU that Spark has assigned to the
   * task ({@code spark.task.resource.gpu.amount}), else the cores: other tasks may use the GPUs of
   * the machine. The engine has as many threads as the task has cores ({@code spark.task.cpus}). On
   * the driver it is of the same kind, if its machine has one.
   *
   * @param spec {@link #AUTO}, or a name that {@link Engine#open} knows
   * @throws IllegalArgumentException if the engine is not available on this executor
   */
  public static Engine ofTask(String spec) {
    TaskContext task = TaskContext.get();
    int threads = task == null ? Runtime.getRuntime().availableProcessors() : task.cpus();
    String name = spec.equals(AUTO) ? assigned(task) : spec;
    Key key = new Key(name, threads);
    Engine engine = OPEN.computeIfAbsent(key, _ -> Engine.open(name, new EngineOptions(threads)));
    if (task != null) {
      task.addTaskFailureListener((_, failure) -> {
        if (isOfEngine(failure)) {
          OPEN.remove(key, engine); // not closed: other tasks may use it
        }
      });
    }
    return engine;
  }

  /**
   * Returns the cores that the engine of the driver takes, whose rates are measured: all of them,
   * or those of a task that uses a GPU.
   */
  public static int coresOfDriver(JavaSparkContext context, String spec) {
    return ofTask(spec).kind() == EngineKind.CPU
        ? Runtime.getRuntime().availableProcessors()
        : context.getConf().getInt("spark.task.cpus", 1);
  }

  private static boolean isOfEngine(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(EngineFailedException.class::isInstance);
  }

  private static String assigned(@Nullable TaskContext task) {
    if (task == null) {
      return SparkEnv.get() != null && SparkEnv.get().conf().contains(GPUS_OF_TASK) ? AUTO : CORES;
    }
    ResourceInformation gpu = CollectionConverters.asJava(task.resources()).get(GPU);
    return gpu == null || gpu.addresses().length == 0 ? CORES : "cuda:" + gpu.addresses()[0];
  }
}
