package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Runs the conformance suite on one engine.
 *
 * {@snippet :
 * for (CheckResult result : Conformance.of(engine).run(seed)) {
 *   System.out.println(result.name() + " " + result.failure().orElse("passed"));
 * }
 * }
 */
public final class Conformance {

  private static final int CASES = 60;

  /** The cases of checks with short cases of many kinds. */
  private static final int MANY_CASES = 300;

  /** The cases of checks with long cases. */
  private static final int FEW_CASES = 5;

  private static final int THREADS = 4;

  private final Engine engine;
  private final List<Check> checks;

  /** The ports that a suite checks. */
  private enum Scope {
    ALL,
    BLOCKS,
    SORTING
  }

  private Conformance(Engine engine, Scope scope) {
    engine.requireOpen();
    this.engine = engine;
    List<Check> selected = new ArrayList<>();
    if (scope != Scope.SORTING) {
      selected.addAll(blockChecks());
    }
    if (scope == Scope.ALL) {
      selected.addAll(otherChecks());
    }
    if (scope != Scope.BLOCKS) {
      selected.addAll(sortingChecks());
    }
    this.checks = List.copyOf(selected);
  }

  /** Returns the suite for an engine; does not close the engine. */
  public static Conformance of(Engine engine) {
    return new Conformance(engine, Scope.ALL);
  }

  /**
   * Returns the checks of products, eliminations and substitutions only. Use it for variants of an
   * engine that differ only in these.
   */
  public static Conformance ofBlocks(Engine engine) {
    return new Conformance(engine, Scope.BLOCKS);
  }

  /** Returns the checks of sorting only. */
  public static Conformance ofSorting(Engine engine) {
    return new Conformance(engine, Scope.SORTING);
  }

  /**
   * Runs every check; takes seconds on a processor.
   *
   * @param seed the seed of all random cases
   */
  public List<CheckResult> run(long seed) {
    return run(seed, _ -> {});
  }

  /**
   * Runs every check and reports each result.
   *
   * @param listener receives each result on this thread
   */
  public List<CheckResult> run(long seed, Consumer<CheckResult> listener) {
    // Checks the compiled code instead of the fallback that runs before compilation.
    engine.warmUp(Gf256.DEFAULT);
    engine.warmUp(Gf256.RIJNDAEL);
    List<CheckResult> results = new ArrayList<>();
    for (Check check : checks) {
      results.add(check(check.name(), seed, check.body(), check.cases()));
      listener.accept(results.getLast());
    }
    results.add(concurrently(seed));
    listener.accept(results.getLast());
    return List.copyOf(results);
  }

  /** Returns the number of results of {@link #run(long)}. */
  public int size() {
    return checks.size() + 1;
  }

  private List<Check> blockChecks() {
    return List.of(
        check("products", r -> products(r).product()),
        check("products with drawn coefficients", r -> products(r).drawn()),
        check("products of large shapes", r -> products(r).largeProduct(), FEW_CASES),
        check("products of long sums", r -> products(r).longSums(), 1),
        check("products with many draws", r -> products(r).manyDraws(), FEW_CASES),
        check("resident blocks", r -> resident(r).storage()),
        check("products of resident blocks", r -> resident(r).products()),
        check("products that stay resident", r -> resident(r).residentProducts()),
        check("products among resident blocks", r -> resident(r).productsAmongThemselves()),
        check("solutions of resident blocks", r -> resident(r).solutions()),
        check(
            "solutions next to singular resident systems", r -> resident(r).singularAmongRegular()),
        check("resident blocks shared by threads", r -> resident(r).sharedByThreads(), FEW_CASES),
        check("misuse of resident blocks", r -> resident(r).misuse(), 1),
        check("host memory", r -> resident(r).hostMemory(), FEW_CASES),
        check("inversion", r -> eliminations(r).inversion()),
        check("inversion of large matrices", r -> eliminations(r).largeInversion(), FEW_CASES),
        check("solutions", r -> eliminations(r).solutions()),
        check("solutions of large systems", r -> eliminations(r).largeSolutions(), FEW_CASES),
        check("solutions next to singular systems", r -> eliminations(r).singularAmongRegular()),
        check("misuse of systems", r -> eliminations(r).misuse(), 1),
        check("basis", r -> eliminations(r).basis()),
        check("progressive elimination", r -> progressive(r).systems()),
        check("triangular systems", r -> substitutions(r).systems()),
        check("large triangular systems", r -> substitutions(r).largeSystems(), FEW_CASES),
        check("resident triangular systems", r -> substitutions(r).residentSystems()),
        check("substitution frame by frame", r -> substitutions(r).frameByFrame()),
        check("zeros on diagonals", r -> substitutions(r).zeroDiagonal()));
  }

  private List<Check> otherChecks() {
    return List.of(
        check("published check values", r -> checksums(r).knownAnswers(), 1),
        check("remainders of messages", r -> checksums(r).messages()),
        check("remainders of long messages", r -> checksums(r).longMessages(), FEW_CASES),
        check("remainders of messages at equal distances", r -> checksums(r).equalBatches()),
        check("remainders of listed messages", r -> checksums(r).listedBatches()),
        check("remainders of many messages", r -> checksums(r).manyMessages(), FEW_CASES),
        check("resident bytes", r -> checksums(r).residentBytes()),
        check("misuse of checksums", r -> checksums(r).misuse(), 1),
        check("weights of cosets", r -> weights(r).cosets()),
        check("weights of many words", r -> weights(r).manyWords(), FEW_CASES),
        check("pairs of words", r -> weights(r).pairs()),
        check("pairs of many words", r -> weights(r).manyPairs(), FEW_CASES),
        check("misuse of words", r -> weights(r).misuse(), 1),
        check("slices of transforms", r -> transforms(r).slices()),
        check("slices of symmetric transforms", r -> transforms(r).symmetricSlices(), FEW_CASES),
        check("slices of large transforms", r -> transforms(r).largeSlices(), FEW_CASES),
        check("misuse of transforms", r -> transforms(r).misuse(), 1),
        check("3-stars", r -> stars(r).searches()),
        check("misuse of 3-star searches", r -> stars(r).misuse(), 1));
  }

  private List<Check> sortingChecks() {
    return List.of(
        check("sorted records", r -> sorts(r).sorted(), MANY_CASES),
        check("many sorted records", r -> sorts(r).manySorted(), FEW_CASES),
        check("streamed records", r -> sorts(r).streamed(), FEW_CASES),
        check("order of records", r -> sorts(r).order()),
        check("order of many records", r -> sorts(r).orderOfMany(), FEW_CASES),
        check("sorted resident records", r -> sorts(r).resident()),
        check("misuse of sorting", r -> sorts(r).misuse(), 1));
  }

  private ProductChecks products(SplittableRandom random) {
    return new ProductChecks(engine, random);
  }

  private ResidentChecks resident(SplittableRandom random) {
    return new ResidentChecks(engine, random);
  }

  private EliminationChecks eliminations(SplittableRandom random) {
    return new EliminationChecks(engine, random);
  }

  private ProgressiveChecks progressive(SplittableRandom random) {
    return new ProgressiveChecks(engine, random);
  }

  private SubstitutionChecks substitutions(SplittableRandom random) {
    return new SubstitutionChecks(engine, random);
  }

  private ChecksumChecks checksums(SplittableRandom random) {
    return new ChecksumChecks(engine, random);
  }

  private WeightChecks weights(SplittableRandom random) {
    return new WeightChecks(engine, random);
  }

  private TransformChecks transforms(SplittableRandom random) {
    return new TransformChecks(engine, random);
  }

  private SortChecks sorts(SplittableRandom random) {
    return new SortChecks(engine, random);
  }

  private StarChecks stars(SplittableRandom random) {
    return new StarChecks(engine, random);
  }

  /** A check with its name and number of random cases. */
  private record Check(String name, Case body, int cases) {}

  private static Check check(String name, Case body) {
    return check(name, body, CASES);
  }

  private static Check check(String name, Case body, int cases) {
    return new Check(name, body, cases);
  }

  /** Runs one random case; returns empty or a description of the failure. */
  interface Case {
    Optional<String> run(SplittableRandom random);
  }

  private static CheckResult check(String name, long seed, Case body, int cases) {
    for (int i = 0; i < cases; i++) {
      int number = i;
      Optional<String> failure = runCase(body, seed, i);
      if (failure.isPresent()) {
        return new CheckResult(
            name,
            i + 1,
            failure.map(problem -> "seed %d case %d: %s".formatted(seed, number, problem)));
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

  /** Runs random cases of the short checks on several threads. */
  private CheckResult concurrently(long seed) {
    List<Case> bodies =
        checks.stream().filter(check -> check.cases() >= CASES).map(Check::body).toList();
    Case any = random -> bodies.get(random.nextInt(bodies.size())).run(random);
    String name = "concurrent use by " + THREADS + " threads";
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<CheckResult>> tasks =
          IntStream.range(0, THREADS)
              .<Callable<CheckResult>>mapToObj(
                  thread -> () -> check(name, seed + 1 + thread, any, CASES))
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
