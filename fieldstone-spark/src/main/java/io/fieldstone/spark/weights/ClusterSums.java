package io.fieldstone.spark.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.spark.ExecutorEngine;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Finds light sums of few rows on a cluster: tasks try ranges of the sums, with their engines. Few
 * sums are tried on the driver.
 */
final class ClusterSums implements LightSums {

  /** The tasks of a call for each core: many, so that cores seldom wait for the last task. */
  private static final int TASKS_OF_CORE = 8;

  /** The least number of sums of a task, some milliseconds of a core. */
  private static final long MIN_SUMS = 1 << 22;

  private final JavaSparkContext context;
  private final String engine;

  private ClusterSums(JavaSparkContext context, String engine) {
    this.context = context;
    this.engine = engine;
  }

  /** An engine that only adds up rows, on the cluster. */
  private record ClusterEngine(Ports ports) implements Engine {

    @Override
    public String spec() {
      return "spark";
    }

    @Override
    public EngineKind kind() {
      return EngineKind.CPU;
    }

    @Override
    public String description() {
      return "tasks of Apache Spark";
    }

    @Override
    public <P> Optional<P> find(Class<P> port) {
      return ports.find(port);
    }

    @Override
    public void close() {}
  }

  /**
   * Returns an engine whose only port is this one.
   *
   * @param engine the engine of the tasks ({@link ExecutorEngine#ofTask})
   */
  static Engine engine(JavaSparkContext context, String engine) {
    ClusterSums sums = new ClusterSums(context, engine);
    return new ClusterEngine(Ports.of(LightSums.class, () -> sums));
  }

  /** Rows that tasks receive, and what they do with them. */
  @SuppressWarnings("ArrayRecordComponent") // Of this class alone, which only reads it.
  private record Rows(
      long[] words, int count, int length, int labelBits, int size, int maxWeight, String engine)
      implements Serializable {

    LabelledWords labelled() {
      return new LabelledWords(MemorySegment.ofArray(words), count, length, labelBits);
    }

    /** Tries a range of the sums. */
    List<Found> lightest(Part part) {
      return ExecutorEngine.ofTask(engine)
          .lightSums()
          .lightest(labelled(), size, part.first, part.count, maxWeight)
          .map(sum -> List.of(new Found(sum.weight(), sum.number())))
          .orElse(List.of());
    }
  }

  /** A range of sums. */
  private record Part(long first, long count) implements Serializable {}

  /** A light sum, which Spark can send. */
  private record Found(int weight, long number) implements Serializable {

    Sum sum() {
      return new Sum(weight, number);
    }
  }

  @Override
  public Optional<Sum> lightest(
      LabelledWords rows, int size, long first, long count, int maxWeight) {
    long tasks = Math.min((long) TASKS_OF_CORE * context.defaultParallelism(), count / MIN_SUMS);
    if (tasks < 2) {
      return ofDriver().lightest(rows, size, first, count, maxWeight);
    }
    List<Part> parts = new ArrayList<>();
    long each = Math.ceilDiv(count, tasks);
    for (long start = 0; start < count; start += each) {
      parts.add(new Part(first + start, Math.min(each, count - start)));
    }
    Rows sent =
        new Rows(
            rows.data().asSlice(0, rows.bytes()).toArray(ValueLayout.JAVA_LONG_UNALIGNED),
            rows.count(),
            rows.length(),
            rows.labelBits(),
            size,
            maxWeight,
            engine);
    return context
        .parallelize(parts, parts.size())
        .flatMap(part -> sent.lightest(part).iterator())
        .collect()
        .stream()
        .map(Found::sum)
        .min(Sum::compareTo);
  }

  @Override
  public Optional<long[]> light(
      LabelledWords rows, int size, long first, long count, int maxWeight, int maxFound) {
    return ofDriver().light(rows, size, first, count, maxWeight, maxFound);
  }

  private LightSums ofDriver() {
    return ExecutorEngine.ofTask(engine).lightSums();
  }
}
