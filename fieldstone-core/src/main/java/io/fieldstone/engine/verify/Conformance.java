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
    Case drawn = random -> new ProductChecks(engine, random).drawn();
    Case storage = random -> new ResidentChecks(engine, random).storage();
    Case resident = random -> new ResidentChecks(engine, random).products();
    Case staying = random -> new ResidentChecks(engine, random).residentProducts();
    Case among = random -> new ResidentChecks(engine, random).productsAmongThemselves();
    Case solutions = random -> new ResidentChecks(engine, random).solutions();
    Case inversion = random -> new EliminationChecks(engine, random).inversion();
    Case basis = random -> new EliminationChecks(engine, random).basis();
    return List.of(
        check("products", seed, products),
        check("products with drawn coefficients", seed, drawn),
        check(
            "products of large shapes", seed, r -> new ProductChecks(engine, r).largeProduct(), 3),
        check("products with many draws", seed, r -> new ProductChecks(engine, r).manyDraws(), 3),
        check("resident blocks", seed, storage),
        check("products of resident blocks", seed, resident),
        check("products that stay resident", seed, staying),
        check("products among resident blocks", seed, among),
        check("solutions of resident blocks", seed, solutions),
        check(
            "solutions beside singular systems",
            seed,
            r -> new ResidentChecks(engine, r).singularAmongRegular()),
        check(
            "resident blocks shared by threads",
            seed,
            r -> new ResidentChecks(engine, r).sharedByThreads(),
            10),
        check("misuse of resident blocks", seed, r -> new ResidentChecks(engine, r).misuse(), 1),
        check("host memory", seed, r -> new ResidentChecks(engine, r).hostMemory(), 10),
        check("inversion", seed, inversion),
        check("basis", seed, basis),
        concurrently(
            seed,
            List.of(
                products, drawn, storage, resident, staying, among, solutions, inversion, basis)));
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

  private static Case oneOf(List<Case> bodies) {
    return random -> bodies.get(random.nextInt(bodies.size())).run(random);
  }

  private static CheckResult concurrently(long seed, List<Case> bodies) {
    String name = "use by " + THREADS + " threads at once";
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<CheckResult>> tasks =
          IntStream.range(0, THREADS)
              .<Callable<CheckResult>>mapToObj(
                  thread -> () -> check(name, seed + 1 + thread, oneOf(bodies)))
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
