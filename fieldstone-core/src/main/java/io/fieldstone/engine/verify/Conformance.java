package io.fieldstone.engine.verify;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Runs the suite on one engine. */
public final class Conformance {

  private static final int CASES = 60;
  private static final int THREADS = 4;

  private final Engine engine;

  private Conformance(Engine engine) {
    this.engine = engine;
  }

  /** The suite for an engine, which stays the caller's. */
  public static Conformance of(Engine engine) {
    return new Conformance(engine);
  }

  /**
   * Runs every check; takes seconds on a processor.
   *
   * @param seed of all random cases; the same seed gives the same cases
   */
  public List<CheckResult> run(long seed) {
    // What is checked must be what will run, not what stands in until it is compiled.
    engine.warmUp(Gf256.DEFAULT);
    engine.warmUp(Gf256.RIJNDAEL);
    Case products = random -> new ProductChecks(engine, random).product();
    Case resident = random -> new ProductChecks(engine, random).resident();
    Case inversion = random -> new EliminationChecks(engine, random).inversion();
    Case basis = random -> new EliminationChecks(engine, random).basis();
    return List.of(
        check("products", seed, products),
        check(
            "products of large shapes", seed, r -> new ProductChecks(engine, r).largeProduct(), 3),
        check("resident blocks", seed, resident),
        check("inversion", seed, inversion),
        check("basis", seed, basis),
        concurrently(seed, List.of(products, resident, inversion, basis)));
  }

  /** One random case; returns what went wrong, or nothing. */
  interface Case {
    Optional<String> run(SplittableRandom random);
  }

  private static CheckResult check(String name, long seed, Case body) {
    return check(name, seed, body, CASES);
  }

  private static CheckResult check(String name, long seed, Case body, int cases) {
    for (int i = 0; i < cases; i++) {
      int number = i;
      Optional<String> failure = runCase(body, seed, i);
      if (failure.isPresent()) {
        return new CheckResult(
            name, i + 1, failure.map(what -> "seed %d case %d: %s".formatted(seed, number, what)));
      }
    }
    return new CheckResult(name, cases, Optional.empty());
  }

  private static Optional<String> runCase(Case body, long seed, int number) {
    try {
      return body.run(new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number));
    } catch (RuntimeException e) {
      return Optional.of(e.toString());
    }
  }

  private static CheckResult concurrently(long seed, List<Case> bodies) {
    String name = "use by " + THREADS + " threads at once";
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<CheckResult>> tasks =
          IntStream.range(0, THREADS)
              .<Callable<CheckResult>>mapToObj(thread ->
                  () -> check(name, seed + 1 + thread, bodies.get(thread % bodies.size())))
              .toList();
      int cases = 0;
      for (Future<CheckResult> future : threads.invokeAll(tasks)) {
        CheckResult result = future.get();
        cases += result.cases();
        if (!result.passed()) {
          return result;
        }
      }
      return new CheckResult(name, cases, Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new CheckResult(name, 0, Optional.of("interrupted"));
    } catch (ExecutionException e) {
      return new CheckResult(name, 0, Optional.of(String.valueOf(e.getCause())));
    }
  }
}
