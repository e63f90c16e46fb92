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

/** Runs the suite on one engine. */
public final class Conformance {

  private static final int CASES = 60;

  /** Of checks whose cases are short and have many kinds. */
  private static final int MANY = 300;

  /** Of checks whose cases are long. */
  private static final int FEW = 5;

  private static final int THREADS = 4;

  private final Engine engine;
  private final List<Check> checks;

  /** What a suite checks. */
  private enum Scope {
    EVERYTHING,
    BLOCKS,
    SORTING
  }

  private Conformance(Engine engine, Scope scope) {
    this.engine = engine;
    List<Check> wanted = new ArrayList<>();
    if (scope != Scope.SORTING) {
      wanted.addAll(blockChecks());
    }
    if (scope == Scope.EVERYTHING) {
      wanted.addAll(otherChecks());
    }
    if (scope != Scope.BLOCKS) {
      wanted.addAll(sortingChecks());
    }
    this.checks = List.copyOf(wanted);
  }

  /** The suite for an engine, which stays the caller's. */
  public static Conformance of(Engine engine) {
    return new Conformance(engine, Scope.EVERYTHING);
  }

  /**
   * Only what blocks go through: products, eliminations, substitutions. For one of several engines
   * that differ in nothing else.
   */
  public static Conformance ofBlocks(Engine engine) {
    return new Conformance(engine, Scope.BLOCKS);
  }

  /** Only sorting, likewise. */
  public static Conformance ofSorting(Engine engine) {
    return new Conformance(engine, Scope.SORTING);
  }

  /**
   * Runs every check; takes seconds on a processor.
   *
   * @param seed of all random cases; the same seed gives the same cases
   */
  public List<CheckResult> run(long seed) {
    return run(seed, _ -> {});
  }

  /**
   * As {@link #run(long)}.
   *
   * @param found is told of each result at once, on this thread
   */
  public List<CheckResult> run(long seed, Consumer<CheckResult> found) {
    // What is checked must be what will run, not what stands in until it is compiled.
    engine.warmUp(Gf256.DEFAULT);
    engine.warmUp(Gf256.RIJNDAEL);
    List<CheckResult> results = new ArrayList<>();
    for (Check check : checks) {
      results.add(check(check.name(), seed, check.body(), check.cases()));
      found.accept(results.getLast());
    }
    results.add(concurrently(seed));
    found.accept(results.getLast());
    return List.copyOf(results);
  }

  /** How many results {@link #run(long)} has. */
  public int size() {
    return checks.size() + 1;
  }

  private List<Check> blockChecks() {
    return List.of(
        check("products", r -> products(r).product()),
        check("products with drawn coefficients", r -> products(r).drawn()),
        check("products of large shapes", r -> products(r).largeProduct(), FEW),
        check("products of long sums", r -> products(r).longSums(), 1),
        check("products with many draws", r -> products(r).manyDraws(), FEW),
        check("resident blocks", r -> resident(r).storage()),
        check("products of resident blocks", r -> resident(r).products()),
        check("products that stay resident", r -> resident(r).residentProducts()),
        check("products among resident blocks", r -> resident(r).productsAmongThemselves()),
        check("solutions of resident blocks", r -> resident(r).solutions()),
        check("solutions beside singular systems", r -> resident(r).singularAmongRegular()),
        check("resident blocks shared by threads", r -> resident(r).sharedByThreads(), FEW),
        check("misuse of resident blocks", r -> resident(r).misuse(), 1),
        check("host memory", r -> resident(r).hostMemory(), FEW),
        check("inversion", r -> eliminations(r).inversion()),
        check("solutions", r -> eliminations(r).solutions()),
        check("solutions beside singular ones", r -> eliminations(r).singularAmongRegular()),
        check("misuse of systems", r -> eliminations(r).misuse(), 1),
        check("basis", r -> eliminations(r).basis()),
        check("progressive elimination", r -> progressive(r).systems()),
        check("triangular systems", r -> substitutions(r).systems()),
        check("large triangular systems", r -> substitutions(r).largeSystems(), FEW),
        check("resident triangular systems", r -> substitutions(r).residentSystems()),
        check("substitution frame by frame", r -> substitutions(r).frameByFrame()),
        check("zeros on diagonals", r -> substitutions(r).zeroDiagonal()));
  }

  private List<Check> otherChecks() {
    return List.of(
        check("remainders known elsewhere", r -> checksums(r).knownAnswers(), 1),
        check("remainders of messages", r -> checksums(r).messages()),
        check("remainders of long messages", r -> checksums(r).longMessages(), FEW),
        check("remainders of messages at equal distances", r -> checksums(r).equalBatches()),
        check("remainders of listed messages", r -> checksums(r).listedBatches()),
        check("remainders of many messages", r -> checksums(r).manyMessages(), FEW),
        check("resident bytes", r -> checksums(r).residentBytes()),
        check("misuse of checksums", r -> checksums(r).misuse(), 1),
        check("weights of cosets", r -> weights(r).cosets()),
        check("weights of many words", r -> weights(r).manyWords(), FEW),
        check("pairs of words", r -> weights(r).pairs()),
        check("pairs of many words", r -> weights(r).manyPairs(), FEW),
        check("misuse of words", r -> weights(r).misuse(), 1),
        check("slices of transforms", r -> transforms(r).slices()),
        check("slices of symmetric transforms", r -> transforms(r).symmetricSlices(), FEW),
        check("slices of large transforms", r -> transforms(r).largeSlices(), FEW),
        check("misuse of transforms", r -> transforms(r).misuse(), 1),
        check("3-stars", r -> stars(r).searches()),
        check("misuse of 3-star searches", r -> stars(r).misuse(), 1));
  }

  private List<Check> sortingChecks() {
    return List.of(
        check("sorted records", r -> sorts(r).sorted(), MANY),
        check("many sorted records", r -> sorts(r).manySorted(), FEW),
        check("order of records", r -> sorts(r).order()),
        check("order of many records", r -> sorts(r).orderOfMany(), FEW),
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

  /** A check by name, and how many random cases of it are tried. */
  private record Check(String name, Case body, int cases) {}

  private static Check check(String name, Case body) {
    return check(name, body, CASES);
  }

  private static Check check(String name, Case body, int cases) {
    return new Check(name, body, cases);
  }

  /** One random case; returns what went wrong, or nothing. */
  interface Case {
    Optional<String> run(SplittableRandom random);
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

  /** The checks of many cases, one case after another of any of them, by each thread. */
  private CheckResult concurrently(long seed) {
    List<Case> bodies =
        checks.stream().filter(check -> check.cases() >= CASES).map(Check::body).toList();
    Case any = random -> bodies.get(random.nextInt(bodies.size())).run(random);
    String name = "use by " + THREADS + " threads at once";
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
