package io.fieldstone.spark;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * The result of a part of a job, or why its input has none. Spark repeats a task that throws an
 * exception, which does not help against a missing file or damaged data; so these are results.
 *
 * @param value the result; null with a problem
 * @param problem one line; null with a result
 * @param isNotRestorable whether the problem is that shards have too few blocks
 * @param <T> a serializable result
 */
public record Outcome<T extends Serializable>(
    @Nullable T value, @Nullable String problem, boolean isNotRestorable) implements Serializable {

  /** The work of a part. */
  @FunctionalInterface
  public interface Work<T> {

    /** Returns the result. */
    T run() throws IOException, InterruptedException;
  }

  /** The work of an item, which Spark sends to executors. */
  @FunctionalInterface
  public interface ItemWork<I, T> extends Serializable {

    /** Returns the result. */
    T run(I item) throws IOException, InterruptedException;
  }

  /**
   * Does the work of each item on the cluster.
   *
   * @param tasks the items of each task
   * @return the results in the order of the items
   * @throws JobFailedException with the first problem, if there is one
   */
  public static <I, T extends Serializable> List<T> ofEach(
      JavaSparkContext context, List<ArrayList<I>> tasks, ItemWork<I, T> work)
      throws JobFailedException {
    return allOf(
        context
            .parallelize(tasks, tasks.size())
            .flatMap(task -> {
              List<Outcome<T>> outcomes = new ArrayList<>();
              for (I item : task) {
                outcomes.add(of(() -> work.run(item)));
              }
              return outcomes.iterator();
            })
            .collect());
  }

  /** Returns the result of some work, or the problem of its input. */
  public static <T extends Serializable> Outcome<T> of(Work<T> work)
      throws IOException, InterruptedException {
    try {
      return new Outcome<>(inMemory(work), null, false);
    } catch (IOException e) {
      Optional<String> problem = Problem.ofInput(e);
      if (problem.isPresent()) {
        return new Outcome<>(null, problem.get(), Problem.isNotRestorable(e));
      }
      throw e;
    }
  }

  /**
   * Does work that takes much of the heap. With a local master, Spark would end the driver's JVM
   * after an {@code OutOfMemoryError}, without a message.
   *
   * @throws JobFailedException if there is too little
   */
  public static <T> T inMemory(Work<T> work) throws IOException, InterruptedException {
    try {
      return work.run();
    } catch (OutOfMemoryError e) {
      // Not as the cause, in which Spark searches for fatal errors too.
      throw new JobFailedException(Problem.of(e));
    }
  }

  /**
   * Returns the result.
   *
   * @throws JobFailedException if there is none
   */
  public T orThrow() throws JobFailedException {
    if (value == null) {
      String line = String.valueOf(problem);
      throw isNotRestorable ? JobFailedException.notRestorable(line) : new JobFailedException(line);
    }
    return value;
  }

  /**
   * Returns the results of all parts.
   *
   * @throws JobFailedException with the first problem, if there is one
   */
  public static <T extends Serializable> List<T> allOf(List<Outcome<T>> outcomes)
      throws JobFailedException {
    for (Outcome<T> outcome : outcomes) {
      outcome.orThrow();
    }
    return outcomes.stream().map(outcome -> Objects.requireNonNull(outcome.value)).toList();
  }
}
