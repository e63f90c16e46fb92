package io.fieldstone.spark.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.distance.DistanceProof;
import io.fieldstone.weights.distance.InformationSetSearch;
import io.fieldstone.weights.distance.LightWord;
import io.fieldstone.weights.distance.WordSpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Proves a minimum distance on a cluster. The driver searches a light word; then tasks try slices
 * of the sums of {@link DistanceProof}, in rounds. With a checkpoint, a killed driver loses at most
 * a round.
 *
 * {@snippet :
 * DistanceJob job = DistanceJob.of(context, WordSpace.of(CodeFamily.parse("bch:127,64")));
 * System.out.println(job.forecast(weight -> weight).text());
 * DistanceProof.Bounds bounds = job.withCheckpoint("hdfs:///distance.checkpoint").run();
 * }
 *
 * <p>For one thread at a time.
 */
public final class DistanceJob {

  /** The time of a round, between two checkpoints. */
  private static final Duration ROUND = Duration.ofMinutes(1);

  private static final double SECONDS_PER_HOUR = 3600;
  private static final long SEED = 1;

  private final JavaSparkContext context;
  private final WordSpace space;
  private final String engine;
  private final List<Permutation> automorphisms;
  private final Duration search;
  private final Optional<String> checkpoint;
  private final Consumer<DistanceProof.Bounds> progress;

  private DistanceJob(
      JavaSparkContext context,
      WordSpace space,
      String engine,
      List<Permutation> automorphisms,
      Duration search,
      Optional<String> checkpoint,
      Consumer<DistanceProof.Bounds> progress) {
    this.context = context;
    this.space = space;
    this.engine = engine;
    this.automorphisms = automorphisms;
    this.search = search;
    this.checkpoint = checkpoint;
    this.progress = progress;
  }

  /** Returns a job that searches for ten seconds, without a checkpoint. */
  public static DistanceJob of(JavaSparkContext context, WordSpace space) {
    return new DistanceJob(
        context,
        space,
        ExecutorEngine.AUTO,
        List.of(),
        Duration.ofSeconds(10),
        Optional.empty(),
        _ -> {});
  }

  /** Returns a job whose tasks use an engine ({@link ExecutorEngine#ofTask}). */
  public DistanceJob withEngine(String spec) {
    return new DistanceJob(context, space, spec, automorphisms, search, checkpoint, progress);
  }

  /** Returns a job that knows automorphisms, which are verified; shifts are found. */
  public DistanceJob withAutomorphisms(List<Permutation> known) {
    return new DistanceJob(
        context, space, engine, List.copyOf(known), search, checkpoint, progress);
  }

  /** Returns a job whose driver searches a light word for another time. */
  public DistanceJob withSearch(Duration time) {
    return new DistanceJob(context, space, engine, automorphisms, time, checkpoint, progress);
  }

  /**
   * Returns a job that saves its state in a file after each round, and resumes from it if it
   * exists. {@code fieldstone distance --resume} can continue it too. The caller deletes it.
   */
  public DistanceJob withCheckpoint(String file) {
    return new DistanceJob(
        context, space, engine, automorphisms, search, Optional.of(file), progress);
  }

  /** Returns a job that reports what is proven after each round. */
  public DistanceJob withProgress(Consumer<DistanceProof.Bounds> bounds) {
    return new DistanceJob(context, space, engine, automorphisms, search, checkpoint, bounds);
  }

  /**
   * Predicts the cost, after a search, from rates that are measured on the driver's machine.
   *
   * @param weight what a word of a weight counts, as the operators of {@code StabilizerWords}
   * @throws IllegalArgumentException if a permutation is no automorphism
   */
  public DistanceForecast forecast(IntUnaryOperator weight) {
    DistanceProof proof = proof(ExecutorEngine.ofTask(engine));
    LightWord word = search();
    proof.know(word);
    DistanceProof.Plan plan = proof.plan();
    int cores = context.defaultParallelism();
    double coreHours =
        plan.seconds() * ExecutorEngine.coresOfDriver(context, engine) / SECONDS_PER_HOUR;
    return new DistanceForecast(
        weight.applyAsInt(word.weight()),
        plan.sums(),
        cores,
        coreHours,
        coreHours / cores,
        plan.description());
  }

  private DistanceProof proof(Engine of) {
    return DistanceProof.of(of, space, automorphisms, ROUND);
  }

  private LightWord search() {
    InformationSetSearch trials =
        InformationSetSearch.of(ExecutorEngine.ofTask(engine), space, SEED);
    long begunNs = System.nanoTime();
    return trials
        .run(1, Long.MAX_VALUE, (_, _) -> System.nanoTime() - begunNs < search.toNanos())
        .orElseThrow();
  }

  /**
   * Proves the distance.
   *
   * @return the bounds, which are equal, and a word of that weight
   * @throws IllegalArgumentException if a permutation is no automorphism, or there are too many
   *     sums to number
   * @throws JobFailedException if the checkpoint is not one of this code
   * @throws IOException if the checkpoint cannot be read or written
   */
  public DistanceProof.Bounds run() throws IOException {
    Storage storage = Storage.of(context);
    DistanceProof proof = proof(ClusterSums.engine(context, engine));
    Optional<Path> file =
        checkpoint.isPresent() ? Optional.of(storage.path(checkpoint.get())) : Optional.empty();
    if (file.isPresent() && storage.exists(file.get())) {
      restore(proof, checkpoint.orElseThrow(), storage.read(file.get()));
    }
    if (proof.bounds().lightest().isEmpty()) {
      proof.know(search());
    }
    try {
      return proof.run(bounds -> {
        if (file.isPresent()) {
          save(storage, file.get(), proof.save());
        }
        progress.accept(bounds);
        return true;
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void restore(DistanceProof proof, String name, byte[] bytes)
      throws JobFailedException {
    try {
      proof.restore(name, bytes);
    } catch (IllegalArgumentException e) {
      throw new JobFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void save(Storage storage, Path file, byte[] state) {
    try {
      storage.replace(file, state);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
