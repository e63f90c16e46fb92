package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.Permutation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the weight distributions of a code on an engine, by one of several methods with equal
 * results.
 *
 * <ul>
 *   <li>the engine's methods of counting all 2^2k pairs, e.g. {@code naive}, {@code popcount};
 *   <li>{@code symmetric}: u, v and u + v are interchangeable, so that only one pair of weights is
 *       counted for each triple of weights;
 *   <li>{@code orbits}: one u of each orbit under known automorphisms, with all v;
 *   <li>{@code transform}: 2^−k Σ_s F_a(s) F_b(s) F_c(s) with F_a the Walsh–Hadamard transform of
 *       the indicator of weight a, for every code;
 *   <li>{@code cyclic}: the same with one functional of each orbit, for a code whose automorphisms
 *       split it into blocks, such as every cyclic code of odd length;
 *   <li>{@code dual}: the dual code by the method with the fewest operations, which is the same for
 *       all engines; then MacWilliams' identity;
 *   <li>{@code auto}: the method with the least expected time, by approximate rates that are not
 *       measured.
 * </ul>
 *
 * {@snippet :
 * JointWeights weights = JointWeights.of(CodeFamily.parse("bch:63,16"), engine);
 * JointPlan plan = weights.plan(JointWeights.AUTO);
 * JointWeightDistribution distribution =
 *     JointRunner.of(weights, JointProgress.NONE).run(plan);
 * }
 *
 * <p>For one thread at a time.
 */
public final class JointWeights {

  /** The name of the method that selects the fastest one. */
  public static final String AUTO = Methods.AUTO;

  private static final String SYMMETRIC = "symmetric";
  private static final String ORBITS = "orbits";
  private static final String TRANSFORM = "transform";
  private static final String CYCLIC = "cyclic";
  private static final String DUAL = "dual";

  private final BinaryCode code;
  private final List<Permutation> automorphisms;
  private final Engine engine;
  private final boolean isDual;
  private final EngineRates rates;
  private @Nullable MessageSpace space;
  private @Nullable List<Long> spaceCounts;
  private @Nullable WeightDistribution single;

  private JointWeights(
      BinaryCode code,
      List<Permutation> automorphisms,
      Engine engine,
      EngineRates rates,
      boolean isDual) {
    this.code = code;
    this.automorphisms = List.copyOf(automorphisms);
    this.engine = engine;
    this.rates = rates;
    this.isDual = isDual;
  }

  /**
   * Returns the weights of a code on an engine, which the caller closes. Cyclic and extended cyclic
   * codes are detected.
   */
  public static JointWeights of(BinaryCode code, Engine engine) {
    return of(code, List.of(), engine);
  }

  /**
   * Returns the weights of a code with known automorphisms, in addition to detected ones.
   *
   * @throws IllegalArgumentException if one is not an automorphism; the message names a row that it
   *     maps outside the code
   */
  public static JointWeights of(BinaryCode code, List<Permutation> automorphisms, Engine engine) {
    engine.requireOpen();
    automorphisms.forEach(code::requireAutomorphism);
    List<Permutation> all = new ArrayList<>(automorphisms);
    all.addAll(cyclicAutomorphisms(code, 0));
    if (all.isEmpty() && code.length() > 1) {
      all.addAll(cyclicAutomorphisms(code, 1));
    }
    return new JointWeights(code, all, engine, new EngineRates(engine), false);
  }

  /**
   * Returns the shift and the squaring of all but the last {@code fixed} positions, if they are
   * automorphisms.
   */
  private static List<Permutation> cyclicAutomorphisms(BinaryCode code, int fixed) {
    int length = code.length() - fixed;
    Permutation shift = Permutation.shift(length).extended(fixed);
    if (length < 2 || code.rowMovedOut(shift).isPresent()) {
      return List.of();
    }
    if (length % 2 == 0) {
      return List.of(shift);
    }
    Permutation squaring = Permutation.doubling(length).extended(fixed);
    return code.rowMovedOut(squaring).isEmpty() ? List.of(shift, squaring) : List.of(shift);
  }

  /** Returns the code. */
  public BinaryCode code() {
    return code;
  }

  /** Returns the known automorphisms. */
  public List<Permutation> automorphisms() {
    return automorphisms;
  }

  /**
   * Returns the weight distribution: by one word of each orbit, or by MacWilliams' identity if the
   * dual code has fewer words.
   *
   * @throws IllegalArgumentException if both the code and its dual are too large
   */
  public WeightDistribution single() {
    WeightDistribution found = single;
    if (found == null) {
      found = count();
      single = found;
    }
    return found;
  }

  private WeightDistribution count() {
    if (code.dimension() > code.length() - code.dimension() && spaceCounts == null) {
      return ofDual().single().dual();
    }
    List<Long> counts = spaceCounts();
    int n = code.length();
    return WeightDistribution.of(
        IntStream.rangeClosed(0, n)
            .mapToLong(w -> counts.get(w) + (space().isHalf() ? counts.get(n - w) : 0))
            .toArray());
  }

  private JointWeights ofDual() {
    return new JointWeights(code.dual(), automorphisms, engine, rates, true);
  }

  /** Returns the messages, split by the automorphisms. */
  private MessageSpace space() {
    MessageSpace found = space;
    if (found == null) {
      found = MessageSpace.split(code, automorphisms);
      space = found;
    }
    return found;
  }

  /** Returns the words of the space by weight; a half space omits complements. */
  private List<Long> spaceCounts() {
    List<Long> found = spaceCounts;
    if (found == null) {
      found =
          2 * space().dimension() > code.length()
              ? ofSpaceByDual().counts().stream().map(BigInteger::longValueExact).toList()
              : Arrays.stream(WordCount.of(engine, space())).boxed().toList();
      spaceCounts = found;
    }
    return found;
  }

  /** Returns the distribution of the space by MacWilliams' identity. */
  private WeightDistribution ofSpaceByDual() {
    if (!space().isHalf()) {
      return single();
    }
    long[][] basis = space().basis().toArray(long[][]::new);
    BinaryCode half = BinaryCode.of(Gf2Matrix.ofPacked(code.length(), basis));
    List<Permutation> kept =
        automorphisms.stream().filter(each -> half.rowMovedOut(each).isEmpty()).toList();
    return new JointWeights(half.dual(), kept, engine, rates, true).single().dual();
  }

  /** Returns the names of all methods, including those that cannot be used for this code. */
  public List<String> methods() {
    List<String> methods = new ArrayList<>(List.of(AUTO, CYCLIC, TRANSFORM, DUAL, ORBITS));
    methods.add(SYMMETRIC);
    methods.addAll(engine.pairCounts().methods());
    return methods;
  }

  /**
   * Returns the plan of a method.
   *
   * @throws IllegalArgumentException if the method does not exist, or cannot be used for this code;
   *     the message gives the reason
   */
  public JointPlan plan(String method) {
    JointPlan plan = prediction(method);
    if (plan.obstacle().isPresent()) {
      throw new IllegalArgumentException(
          "code %s is too large for method '%s': %s"
              .formatted(code, plan.method(), plan.obstacle().get()));
    }
    return plan;
  }

  /**
   * Returns the plan of a method, for its predicted cost: as {@link #plan}, but also one that
   * {@linkplain JointPlan#obstacle cannot run}. {@link #AUTO} selects such a plan if no other
   * exists.
   *
   * @throws IllegalArgumentException if the method does not exist, or does not apply to this code
   */
  public JointPlan prediction(String method) {
    if (method.equals(AUTO)) {
      return best(plans(), NominalRates.of(engine)::seconds);
    }
    Methods.require(method, "joint weights", methods());
    return find(method)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "method '%s' does not apply to code %s: %s".formatted(method, code, why(method))));
  }

  private String why(String method) {
    return switch (method) {
      case ORBITS, CYCLIC ->
          automorphisms.isEmpty()
              ? "no automorphism of the code is known"
              : "its automorphisms do not split the code, or it is too large";
      case DUAL -> isDual ? "the code is already the dual" : "no method applies to the dual code";
      case TRANSFORM ->
          space().dimension() < 1
              ? "the code has no words but 0 and 1…1, of which nothing is transformed"
              : "the code has too many words";
      default -> "the code has too many words";
    };
  }

  /** Returns the plan with the least cost; first those that can run. */
  private JointPlan best(List<JointPlan> plans, ToDoubleFunction<JointPlan> cost) {
    return plans.stream()
        .min(
            Comparator.comparing((JointPlan plan) -> plan.obstacle().isPresent())
                .thenComparingDouble(cost))
        .orElseThrow(
            () -> new IllegalArgumentException("code " + code + " is too large for any method"));
  }

  /**
   * Returns the plans of all methods that apply, in the order of {@link #methods()}. Some may be
   * too large to run ({@link JointPlan#obstacle}).
   */
  public List<JointPlan> plans() {
    return methods().stream().flatMap(method -> find(method).stream()).toList();
  }

  private Optional<JointPlan> find(String method) {
    return switch (method) {
      case AUTO -> Optional.empty();
      case TRANSFORM, CYCLIC -> transform(method);
      case DUAL -> dual();
      default -> pairs(method);
    };
  }

  private Optional<JointPlan> transform(String method) {
    boolean bySymmetries = method.equals(CYCLIC);
    MessageSpace messages = bySymmetries ? space() : space().withoutSymmetries();
    if (bySymmetries && messages.group().size() == 1 || messages.dimension() < 1) {
      return Optional.empty();
    }
    if (messages.dimension() > TransformSlices.MAX_ROWS
        || !WordCount.isWithinReach(engine, space())) {
      return Optional.of(OversizedPlan.of(method, messages, rates::transformOperations));
    }
    List<Long> counts = spaceCounts();
    int weights = TransformPlan.weights(counts).size();
    return TransformLayout.of(messages, weights)
        .map(layout ->
            new TransformPlan(
                method,
                "transforms of %d weights of 2^%d words, %d slices of 2^%d, %d symmetries"
                    .formatted(
                        weights,
                        messages.dimension(),
                        layout.slices().size(),
                        layout.lowBits(),
                        layout.space().group().size()),
                new Prediction(layout.operations(weights), rates::transformOperations, 0),
                layout,
                counts,
                engine));
  }

  private Optional<JointPlan> dual() {
    if (isDual || code.dimension() == code.length()) {
      return Optional.empty();
    }
    JointWeights ofDual = ofDual();
    List<JointPlan> plans = ofDual.plans();
    if (plans.isEmpty()) {
      return Optional.empty();
    }
    // The parts of a run, and a checkpoint, have to fit on engines of every kind.
    JointPlan plan = best(plans, NominalRates::operations);
    return Optional.of(
        new DualPlan(
            DUAL,
            "dual code %s by %s: %s".formatted(ofDual.code, plan.method(), plan.description()),
            NominalRates.identitySeconds(code.length()),
            plan));
  }

  private Optional<JointPlan> pairs(String method) {
    if (code.dimension() > PairPlan.MAX_DIMENSION
        || method.equals(ORBITS) && automorphisms.isEmpty()) {
      return Optional.empty();
    }
    PairPlan.Kind kind =
        switch (method) {
          case ORBITS -> PairPlan.Kind.ORBITS;
          case SYMMETRIC -> PairPlan.Kind.SYMMETRIC;
          default -> PairPlan.Kind.ALL;
        };
    String kernel = kind == PairPlan.Kind.ALL ? method : engine.pairCounts().methods().getFirst();
    double share =
        switch (kind) {
          case ALL -> 1;
          case SYMMETRIC -> 0.5;
          case ORBITS -> 1.0 / Math.min(code.length(), 1L << code.dimension());
        };
    return Optional.of(
        new PairPlan(
            method,
            "2^%d pairs by %s%s"
                .formatted(
                    2 * code.dimension(),
                    kernel,
                    switch (kind) {
                      case ALL -> "";
                      case SYMMETRIC -> ", about half of them";
                      case ORBITS -> ", one u of each orbit";
                    }),
            new Prediction(
                share * Math.scalb(1.0, 2 * code.dimension()), () -> rates.pairs(kernel), 0),
            code,
            automorphisms,
            kind,
            kernel,
            engine));
  }
}
