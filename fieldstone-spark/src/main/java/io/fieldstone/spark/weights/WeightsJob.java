package io.fieldstone.spark.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.weights.JointIdentities;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointRun;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.SavedRun;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.MalformedMatrixException;
import io.fieldstone.weights.codes.MatrixText;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Computes the joint weight distribution of a code on a cluster. Tasks do some units of the plan of
 * {@link JointWeights}, which are slices of a transform or words; the driver adds their results in
 * rounds. With a checkpoint, a killed driver loses at most a round.
 *
 * {@snippet :
 * WeightsJob job = WeightsJob.of(context, CodeFamily.parse("bch:127,22"));
 * System.out.println(job.forecast().text());
 * job.withCheckpoint("hdfs:///jwd.checkpoint").run();
 * }
 *
 * <p>For one thread at a time.
 */
public final class WeightsJob {

  /** The tasks of a round for each core: many, so that cores seldom wait for the last task. */
  private static final int TASKS_OF_CORE = 8;

  /** The seconds of a round, between two checkpoints, if tasks of a unit are not longer. */
  private static final double ROUND_SECONDS = 300;

  private static final double SECONDS_PER_HOUR = 3600;

  /** The maximum ratio of the sizes of successive rounds. */
  private static final int GROWTH = 16;

  /** The plans of this executor, which take long to make. */
  private static final ConcurrentHashMap<PlanKey, JointPlan> PLANS = new ConcurrentHashMap<>();

  private final JavaSparkContext context;
  private final BinaryCode code;
  private final String engine;
  private final String method;
  private final Optional<String> checkpoint;
  private final LongConsumer progress;

  private WeightsJob(
      JavaSparkContext context,
      BinaryCode code,
      String engine,
      String method,
      Optional<String> checkpoint,
      LongConsumer progress) {
    this.context = context;
    this.code = code;
    this.engine = engine;
    this.method = method;
    this.checkpoint = checkpoint;
    this.progress = progress;
  }

  /** Returns a job by the best method, without a checkpoint. */
  public static WeightsJob of(JavaSparkContext context, BinaryCode code) {
    return new WeightsJob(
        context, code, ExecutorEngine.AUTO, JointWeights.AUTO, Optional.empty(), _ -> {});
  }

  /** Returns a job whose tasks use an engine ({@link ExecutorEngine#ofTask}). */
  public WeightsJob withEngine(String spec) {
    return new WeightsJob(context, code, spec, method, checkpoint, progress);
  }

  /** Returns a job by a method of {@link JointWeights#methods}. */
  public WeightsJob withMethod(String name) {
    return new WeightsJob(context, code, engine, name, checkpoint, progress);
  }

  /**
   * Returns a job that saves its state in a file after each round, and resumes from it if it
   * exists. {@code fieldstone weights --resume} can continue it too. The caller deletes it.
   */
  public WeightsJob withCheckpoint(String file) {
    return new WeightsJob(context, code, engine, method, Optional.of(file), progress);
  }

  /** Returns a job that reports the completed units of its plan after each round. */
  public WeightsJob withProgress(LongConsumer unitsDone) {
    return new WeightsJob(context, code, engine, method, checkpoint, unitsDone);
  }

  /** The code, method and engine from which a task makes the plan. */
  private record Task(String generator, String method, String engine) implements Serializable {

    JointPlan plan() {
      return PLANS.computeIfAbsent(
          new PlanKey(generator, method, ExecutorEngine.ofTask(engine)), PlanKey::newPlan);
    }
  }

  /** The inputs of a plan. The tasks of an executor may have different GPUs. */
  private record PlanKey(String generator, String method, Engine engine) {

    JointPlan newPlan() {
      try {
        BinaryCode code = BinaryCode.of(MatrixText.parse("the code", generator));
        return JointWeights.of(code, engine).plan(method);
      } catch (MalformedMatrixException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Some units of a run. */
  private record Part(long first, long units) implements Serializable {}

  /** Their result. */
  @SuppressWarnings("ArrayRecordComponent") // Of this class alone.
  private record Sum(Part part, long[] state) implements Serializable {}

  private JointWeights weights() {
    return JointWeights.of(code, ExecutorEngine.ofTask(engine));
  }

  /**
   * Predicts the cost, from rates that are measured on the driver's machine, also of a code that is
   * too large to run.
   *
   * @throws IllegalArgumentException if the method does not apply to the code
   */
  public WeightsForecast forecast() {
    JointPlan plan = weights().prediction(method);
    int cores = context.defaultParallelism();
    long tasks = (long) Math.max(1, Math.min(plan.units(), (double) TASKS_OF_CORE * cores));
    double coreHours =
        plan.predictedSeconds(tasks)
            * ExecutorEngine.coresOfDriver(context, engine)
            / SECONDS_PER_HOUR;
    return new WeightsForecast(
        plan.method(),
        plan.description(),
        plan.units(),
        tasks,
        cores,
        coreHours,
        coreHours / Math.min(tasks, cores),
        plan.unitBytes(),
        plan.obstacle());
  }

  /**
   * Computes the distribution and checks it by {@link JointIdentities}.
   *
   * @throws JobFailedException if the checkpoint is that of another run, or leads to a wrong result
   * @throws IOException if the checkpoint cannot be read or written
   */
  public JointWeightDistribution run() throws IOException {
    Storage storage = Storage.of(context);
    Optional<Path> file =
        checkpoint.isPresent() ? Optional.of(storage.path(checkpoint.get())) : Optional.empty();
    Optional<byte[]> saved =
        file.isPresent() && storage.exists(file.get())
            ? Optional.of(storage.read(file.get()))
            : Optional.empty();
    java.nio.file.Path name = java.nio.file.Path.of(checkpoint.orElse("checkpoint"));
    JointWeights weights = weights();
    JointPlan plan =
        weights.plan(
            saved.isPresent() && method.equals(JointWeights.AUTO)
                ? SavedRun.method(name, saved.get())
                : method);
    try (JointRun run = plan.newRun()) {
      if (saved.isPresent()) {
        SavedRun.restore(name, saved.get(), code, plan.method(), run);
      }
      long units = 1;
      while (run.unitsDone() < run.units()) {
        long start = System.nanoTime();
        round(plan, run, units);
        double seconds = (System.nanoTime() - start) / 1e9;
        units = Math.max(1, (long) (units * Math.min(GROWTH, ROUND_SECONDS / seconds)));
        if (file.isPresent()) {
          storage.replace(file.get(), SavedRun.save(code, plan.method(), run));
        }
        progress.accept(run.unitsDone());
      }
      JointWeightDistribution result = run.result();
      Optional<String> violated = JointIdentities.violated(result, weights.single());
      if (violated.isPresent()) {
        throw new JobFailedException(
            "the result of method '%s' for code %s is wrong%s: %s"
                .formatted(
                    plan.method(),
                    code,
                    saved.isPresent() ? ", because of the checkpoint or an engine" : "",
                    violated.get()));
      }
      return result;
    }
  }

  /** Runs a round of tasks of this many units, fewer if all cores then have work. */
  private void round(JointPlan plan, JointRun run, long unitsOfTask) {
    long left = run.units() - run.unitsDone();
    long tasks = (long) TASKS_OF_CORE * context.defaultParallelism();
    long units = Math.min(unitsOfTask, Math.ceilDiv(left, tasks));
    List<Part> parts = new ArrayList<>();
    long end = Math.min(run.units(), run.unitsDone() + units * tasks);
    for (long first = run.unitsDone(); first < end; first += units) {
      parts.add(new Part(first, Math.min(units, end - first)));
    }
    String generator = code.generator().toString();
    String rows = generator.substring(generator.indexOf('\n') + 1); // after the shape
    Task task = new Task(rows, plan.method(), engine);
    for (Sum sum :
        context.parallelize(parts, parts.size()).map(part -> sum(task, part)).collect()) {
      run.add(sum.part.units, sum.state);
    }
  }

  private static Sum sum(Task task, Part part) {
    try (JointRun run = task.plan().newPart(part.first, part.units)) {
      while (run.unitsDone() < part.first + part.units) {
        run.step(part.first + part.units - run.unitsDone());
      }
      return new Sum(part, run.state());
    }
  }
}
