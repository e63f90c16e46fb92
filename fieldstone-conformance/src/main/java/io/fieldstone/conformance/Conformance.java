package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.engine.coding.BlockMemory;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.memory.ByteMemory;
import io.fieldstone.engine.sorting.Sorts;
import io.fieldstone.engine.stars.Stars;
import io.fieldstone.engine.terrain.LinesOfSight;
import io.fieldstone.engine.weights.InformationSetTrials;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.PairCounts;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightTransforms;
import io.fieldstone.field.Gf256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs the conformance suite on the ports of one engine.
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

  /** The ports of network coding, which variants of an engine differ in. */
  private static final Set<Class<?>> BLOCKS =
      Set.of(Products.class, Eliminations.class, Substitutions.class, BlockMemory.class);

  private static final Set<Class<?>> SORTING = Set.of(Sorts.class, ByteMemory.class);

  private final Engine engine;
  private final Set<String> missing;
  private final List<Check> checks;

  /** The divisor of the number of random cases of each check. */
  private final int share;

  private Conformance(Conformance whole, int share) {
    this.engine = whole.engine;
    this.missing = whole.missing;
    this.checks = whole.checks;
    this.share = share;
  }

  /** Selects the checks of ports that the engine has. */
  private Conformance(Engine engine, Predicate<Class<?>> scope) {
    engine.requireOpen();
    this.engine = engine;
    this.share = 1;
    List<Check> inScope =
        allChecks().filter(check -> check.ports().stream().allMatch(scope)).toList();
    this.missing =
        inScope.stream()
            .flatMap(check -> check.ports().stream())
            .filter(port -> engine.find(port).isEmpty())
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    this.checks =
        inScope.stream()
            .filter(check ->
                check.ports().stream().noneMatch(port -> missing.contains(port.getSimpleName())))
            .toList();
    if (checks.isEmpty()) {
      throw new IllegalArgumentException(
          "engine '%s' has none of the ports to check: %s"
              .formatted(engine.spec(), String.join(", ", missing)));
    }
  }

  /**
   * Returns the suite for the ports of an engine; does not close the engine.
   *
   * @throws IllegalArgumentException if it has no port that the suite checks
   */
  public static Conformance of(Engine engine) {
    return new Conformance(engine, _ -> true);
  }

  /**
   * Returns the checks of products, eliminations and substitutions only. Use it for variants of an
   * engine that differ only in these.
   *
   * @throws IllegalArgumentException if the engine has none of these ports
   */
  public static Conformance ofBlocks(Engine engine) {
    return new Conformance(engine, BLOCKS::contains);
  }

  /**
   * Returns the checks of sorting only.
   *
   * @throws IllegalArgumentException if the engine does not sort
   */
  public static Conformance ofSorting(Engine engine) {
    return new Conformance(engine, SORTING::contains);
  }

  /**
   * Returns this suite with one in {@code share} of its random cases, and at least one case of each
   * check. Use it in a build that runs often, and the whole suite before a release.
   *
   * @throws IllegalArgumentException if the share is not positive
   */
  public Conformance oneIn(int share) {
    if (share < 1) {
      throw new IllegalArgumentException("one in " + share + " of the cases");
    }
    return new Conformance(this, share);
  }

  /**
   * Returns the names of the ports that the engine lacks, such as {@code Stars}, sorted. Checks
   * that need one of them are left out.
   */
  public Set<String> missing() {
    return Collections.unmodifiableSet(missing);
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
      results.add(check(check.name(), seed, check.body(), Math.ceilDiv(check.cases(), share)));
      listener.accept(results.getLast());
    }
    results.add(concurrently(seed, Math.ceilDiv(CASES, share)));
    listener.accept(results.getLast());
    return List.copyOf(results);
  }

  /** Returns the number of results of {@link #run(long)}. */
  public int size() {
    return checks.size() + 1;
  }

  private Stream<Check> allChecks() {
    return Stream.of(
            coding(),
            residentBlocks(),
            checksums(),
            weights(),
            distances(),
            stars(),
            terrain(),
            sorting())
        .flatMap(Function.identity());
  }

  private Stream<Check> coding() {
    return Stream.of(
            needing(
                Set.of(Products.class),
                check("products", r -> products(r).product()),
                check("products with drawn coefficients", r -> products(r).drawn()),
                check("products of large shapes", r -> products(r).largeProduct(), FEW_CASES),
                check("products of long sums", r -> products(r).longSums(), 1),
                check("products with many draws", r -> products(r).manyDraws(), FEW_CASES),
                check("host memory", r -> resident(r).hostMemory(), FEW_CASES)),
            needing(
                Set.of(Eliminations.class),
                check("inversion", r -> eliminations(r).inversion()),
                check(
                    "inversion of large matrices",
                    r -> eliminations(r).largeInversion(),
                    FEW_CASES),
                check("solutions", r -> eliminations(r).solutions()),
                check(
                    "solutions of large systems", r -> eliminations(r).largeSolutions(), FEW_CASES),
                check(
                    "solutions next to singular systems",
                    r -> eliminations(r).singularAmongRegular()),
                check("misuse of systems", r -> eliminations(r).misuse(), 1),
                check("basis", r -> eliminations(r).basis())),
            needing(
                Set.of(Substitutions.class),
                check("triangular systems", r -> substitutions(r).systems()),
                check("large triangular systems", r -> substitutions(r).largeSystems(), FEW_CASES),
                check("substitution frame by frame", r -> substitutions(r).frameByFrame()),
                check("zeros on diagonals", r -> substitutions(r).zeroDiagonal())))
        .flatMap(Function.identity());
  }

  private Stream<Check> residentBlocks() {
    return Stream.of(
            needing(
                Set.of(BlockMemory.class),
                check("resident blocks", r -> resident(r).storage()),
                check("products of resident blocks", r -> resident(r).products()),
                check("products that stay resident", r -> resident(r).residentProducts()),
                check("products among resident blocks", r -> resident(r).productsAmongThemselves()),
                check("solutions of resident blocks", r -> resident(r).solutions()),
                check(
                    "solutions next to singular resident systems",
                    r -> resident(r).singularAmongRegular()),
                check(
                    "resident blocks shared by threads",
                    r -> resident(r).sharedByThreads(),
                    FEW_CASES),
                check("misuse of resident blocks", r -> resident(r).misuse(), 1)),
            needing(
                Set.of(Eliminations.class, BlockMemory.class),
                check("progressive elimination", r -> progressive(r).systems())),
            needing(
                Set.of(Substitutions.class, BlockMemory.class),
                check("resident triangular systems", r -> substitutions(r).residentSystems())))
        .flatMap(Function.identity());
  }

  /** The checks of messages divide resident bytes too if the engine has memory for them. */
  private Stream<Check> checksums() {
    return Stream.of(
            needing(
                Set.of(Checksums.class),
                check("published check values", r -> checksums(r).knownAnswers(), 1),
                check("remainders of messages", r -> checksums(r).messages()),
                check("remainders of long messages", r -> checksums(r).longMessages(), FEW_CASES),
                check(
                    "remainders of messages at equal distances", r -> checksums(r).equalBatches()),
                check("remainders of listed messages", r -> checksums(r).listedBatches()),
                check("remainders of many messages", r -> checksums(r).manyMessages(), FEW_CASES),
                check("misuse of checksums", r -> checksums(r).misuse(), 1)),
            needing(
                Set.of(PolynomialSieve.class),
                check("sieved polynomials", r -> sieves(r).polynomials()),
                check("many sieved polynomials", r -> sieves(r).manyPolynomials(), FEW_CASES),
                check("misuse of sieves", r -> sieves(r).misuse(), 1)),
            needing(
                Set.of(ByteMemory.class),
                check("resident bytes", r -> checksums(r).residentBytes())),
            needing(
                Set.of(Checksums.class, ByteMemory.class),
                check("misuse of resident bytes", r -> checksums(r).residentMisuse(), 1)))
        .flatMap(Function.identity());
  }

  private Stream<Check> weights() {
    return Stream.of(
            needing(
                Set.of(WeightCounts.class),
                check("weights of cosets", r -> weights(r).cosets()),
                check("weights of many words", r -> weights(r).manyWords(), FEW_CASES),
                check("misuse of words", r -> weights(r).misuse(), 1)),
            needing(
                Set.of(PairCounts.class),
                check("pairs of words", r -> weights(r).pairs()),
                check("pairs of many words", r -> weights(r).manyPairs(), FEW_CASES),
                check("misuse of pairs", r -> weights(r).misuseOfPairs(), 1)),
            needing(
                Set.of(WeightTransforms.class),
                check("slices of transforms", r -> transforms(r).slices()),
                check(
                    "slices of symmetric transforms",
                    r -> transforms(r).symmetricSlices(),
                    FEW_CASES),
                check("slices of large transforms", r -> transforms(r).largeSlices(), FEW_CASES),
                check("misuse of transforms", r -> transforms(r).misuse(), 1)),
            needing(
                Set.of(WalshCounts.class),
                check("weights of long words", r -> walsh(r).words()),
                check("weights of many long words", r -> walsh(r).manyWords(), FEW_CASES),
                check("weights of windows of a sequence", r -> walsh(r).windows(), FEW_CASES),
                check("misuse of long words", r -> walsh(r).misuse(), 1)))
        .flatMap(Function.identity());
  }

  private Stream<Check> distances() {
    return Stream.of(
            needing(
                Set.of(LightSums.class),
                check("lightest sums", r -> distances(r).lightest()),
                check("light sums", r -> distances(r).light()),
                check("light sums of many", r -> distances(r).lightOfMany(), FEW_CASES),
                check("misuse of sums", r -> distances(r).misuse(), 1)),
            needing(
                Set.of(InformationSetTrials.class),
                check("trials of information sets", r -> distances(r).trials()),
                check("misuse of trials", r -> distances(r).misuseOfTrials(), 1)))
        .flatMap(Function.identity());
  }

  private Stream<Check> stars() {
    return needing(
        Set.of(Stars.class),
        check("3-stars", r -> stars(r).searches()),
        check("misuse of 3-star searches", r -> stars(r).misuse(), 1));
  }

  private Stream<Check> terrain() {
    return needing(
        Set.of(LinesOfSight.class),
        check("lines of sight", r -> sight(r).margins()),
        check("many lines of sight", r -> sight(r).manyMargins(), FEW_CASES),
        check("misuse of lines of sight", r -> sight(r).misuse(), 1));
  }

  private Stream<Check> sorting() {
    return Stream.concat(
        needing(
            Set.of(Sorts.class),
            check("sorted records", r -> sorts(r).sorted(), MANY_CASES),
            check("many sorted records", r -> sorts(r).manySorted(), FEW_CASES),
            check("streamed records", r -> sorts(r).streamed(), FEW_CASES),
            check("order of records", r -> sorts(r).order()),
            check("order of many records", r -> sorts(r).orderOfMany(), FEW_CASES),
            check("misuse of sorting", r -> sorts(r).misuse(), 1)),
        needing(
            Set.of(Sorts.class, ByteMemory.class),
            check("sorted resident records", r -> sorts(r).resident()),
            check("misuse of resident records", r -> sorts(r).residentMisuse(), 1)));
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

  private SieveChecks sieves(SplittableRandom random) {
    return new SieveChecks(engine, random);
  }

  private WalshChecks walsh(SplittableRandom random) {
    return new WalshChecks(engine, random);
  }

  private WeightChecks weights(SplittableRandom random) {
    return new WeightChecks(engine, random);
  }

  private DistanceChecks distances(SplittableRandom random) {
    return new DistanceChecks(engine, random);
  }

  private TransformChecks transforms(SplittableRandom random) {
    return new TransformChecks(engine, random);
  }

  private SortChecks sorts(SplittableRandom random) {
    return new SortChecks(engine, random);
  }

  private SightChecks sight(SplittableRandom random) {
    return new SightChecks(engine, random);
  }

  private StarChecks stars(SplittableRandom random) {
    return new StarChecks(engine, random);
  }

  /** A check with its name, its number of random cases, and the ports that it calls. */
  private record Check(String name, Case body, int cases, Set<Class<?>> ports) {}

  private static Check check(String name, Case body) {
    return check(name, body, CASES);
  }

  private static Check check(String name, Case body, int cases) {
    return new Check(name, body, cases, Set.of());
  }

  private static Stream<Check> needing(Set<Class<?>> ports, Check... checks) {
    return Arrays.stream(checks)
        .map(check -> new Check(check.name(), check.body(), check.cases(), ports));
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
  private CheckResult concurrently(long seed, int cases) {
    List<Case> bodies =
        checks.stream().filter(check -> check.cases() >= CASES).map(Check::body).toList();
    Case any = random -> bodies.get(random.nextInt(bodies.size())).run(random);
    String name = "concurrent use by " + THREADS + " threads";
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<CheckResult>> tasks =
          IntStream.range(0, THREADS)
              .<Callable<CheckResult>>mapToObj(
                  thread -> () -> check(name, seed + 1 + thread, any, cases))
              .toList();
      int done = 0;
      for (Future<CheckResult> future : threads.invokeAll(tasks)) {
        CheckResult result = future.get();
        done += result.cases();
        if (!result.passed()) {
          return result;
        }
      }
      return new CheckResult(name, done, Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new CheckResult(name, 0, Optional.of("interrupted"));
    } catch (ExecutionException e) {
      return new CheckResult(name, 0, Optional.of(String.valueOf(e.getCause())));
    }
  }
}
