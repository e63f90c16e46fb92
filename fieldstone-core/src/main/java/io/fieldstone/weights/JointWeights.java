package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.Permutation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The weight distributions of a code on an engine, by every method there is. All give the same
 * numbers.
 *
 * <ul>
 *   <li>the engine's own ways to count all 2^2k pairs, e.g. {@code naive}, {@code popcount};
 *   <li>{@code symmetric}: u, v and u + v change places, so that pairs of weights are counted of
 *       which each triple of weights has one;
 *   <li>{@code orbits}: one u of each orbit under known automorphisms, with all v;
 *   <li>{@code transform}: 2^−k Σ_s F_a(s) F_b(s) F_c(s) with F_a the Walsh–Hadamard transform of
 *       the indicator of weight a, for any code;
 *   <li>{@code cyclic}: the same for a code whose automorphisms split it into blocks, as cyclic
 *       shift and squaring do every cyclic code of odd length: one functional of each orbit;
 *   <li>{@code dual}: the dual code by the best of these, then MacWilliams' identity;
 *   <li>{@code auto}: whichever is predicted to be the fastest.
 * </ul>
 *
 * <p>Not thread-safe.
 */
public final class JointWeights {

  /** The name of the method that chooses. */
  public static final String AUTO = Methods.AUTO;

  private static final String SYMMETRIC = "symmetric";
  private static final String ORBITS = "orbits";
  private static final String TRANSFORM = "transform";
  private static final String CYCLIC = "cyclic";
  private static final String DUAL = "dual";

  /** MacWilliams' identity of pairs adds about n^4 large numbers, at this many a second. */
  private static final double DUAL_RATE = 2e7;

  /** What any engine does a second, about. */
  private static final double NOMINAL_RATE = 1e9;

  /** What any engine does in the time that it takes to measure what it does. */
  private static final double FEW_OPERATIONS = 10 * NOMINAL_RATE;

  /** Operations of one kind may be so many times faster than those of another. */
  private static final double RATES_DIFFER = 1000;

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
   * Of a code on an engine, which stays the caller's. Whether a code is cyclic, or cyclic but for a
   * last position, is found out.
   */
  public static JointWeights of(BinaryCode code, Engine engine) {
    return of(code, List.of(), engine);
  }

  /**
   * With automorphisms that the caller knows, besides those that are found out.
   *
   * @throws IllegalArgumentException if one is none; the message names a row that it moves out
   */
  public static JointWeights of(BinaryCode code, List<Permutation> automorphisms, Engine engine) {
    automorphisms.forEach(code::requireAutomorphism);
    List<Permutation> all = new ArrayList<>(automorphisms);
    all.addAll(cyclicAutomorphisms(code, 0));
    if (all.isEmpty() && code.length() > 1) {
      all.addAll(cyclicAutomorphisms(code, 1));
    }
    return new JointWeights(code, all, engine, new EngineRates(engine), false);
  }

  /** Shift and squaring of all positions but the last few, if they are automorphisms. */
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

  /** The code. */
  public BinaryCode code() {
    return code;
  }

  /** The automorphisms that are known. */
  public List<Permutation> automorphisms() {
    return automorphisms;
  }

  /**
   * How many words there are of each weight: by one word of each orbit, or, where the dual code has
   * fewer words, by MacWilliams' identity.
   *
   * @throws IllegalArgumentException if the code and its dual are both too large to look at
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

  /** The messages, split as the automorphisms allow. */
  private MessageSpace space() {
    MessageSpace found = space;
    if (found == null) {
      found = MessageSpace.split(code, automorphisms);
      space = found;
    }
    return found;
  }

  /** Words of the space by weight, of which a half has not all that the code has. */
  private List<Long> spaceCounts() {
    List<Long> found = spaceCounts;
    if (found == null) {
      found = Arrays.stream(WordCount.of(engine, space())).boxed().toList();
      spaceCounts = found;
    }
    return found;
  }

  /** The names of all methods, whether or not they can be used for this code. */
  public List<String> methods() {
    List<String> methods = new ArrayList<>(List.of(AUTO, CYCLIC, TRANSFORM, DUAL, ORBITS));
    methods.add(SYMMETRIC);
    methods.addAll(engine.pairCounts().methods());
    return methods;
  }

  /**
   * The plan of a method.
   *
   * @throws IllegalArgumentException if there is no such method, or it cannot be used for this
   *     code; the message says why
   */
  public JointPlan plan(String method) {
    if (method.equals(AUTO)) {
      return best(plans());
    }
    Methods.require(method, "joint weights", methods());
    return find(method)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "method '%s' is not for code %s: %s".formatted(method, code, why(method))));
  }

  private String why(String method) {
    return switch (method) {
      case ORBITS, CYCLIC ->
          automorphisms.isEmpty()
              ? "no automorphism of it is known"
              : "its automorphisms do not split it, or it is too large";
      case DUAL -> isDual ? "it is the dual already" : "no method is for its dual";
      default -> "it has too many words";
    };
  }

  /**
   * The plan with least to do, or, where that is much, the one that the engine's rates say is the
   * fastest; rates, which take seconds to measure, are only asked where they can decide.
   */
  private JointPlan best(List<JointPlan> plans) {
    double least =
        plans.stream()
            .mapToDouble(JointWeights::operations)
            .min()
            .orElseThrow(() ->
                new IllegalArgumentException("code " + code + " is too large for any method"));
    double most = least < FEW_OPERATIONS ? least : least * RATES_DIFFER;
    List<JointPlan> near = plans.stream().filter(plan -> operations(plan) <= most).toList();
    return near.size() == 1 || least < FEW_OPERATIONS
        ? near.getFirst()
        : near.stream().min(Comparator.comparingDouble(JointPlan::predictedSeconds)).orElseThrow();
  }

  private static double operations(JointPlan plan) {
    return switch (plan) {
      case PairPlan pairs -> pairs.prediction().operations();
      case TransformPlan transform -> transform.prediction().operations();
      case DualPlan dual -> operations(dual.ofDual()) + dual.extraSeconds() * NOMINAL_RATE;
    };
  }

  /** The plans of all methods that can be used, in the order of {@link #methods()}. */
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
    if (bySymmetries && messages.group().size() == 1
        || messages.dimension() < 1
        || messages.dimension() > TransformSlices.MAX_ROWS
        || !WordCount.isWithinReach(engine, space())) {
      return Optional.empty();
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
    JointPlan plan = best(plans);
    return Optional.of(
        new DualPlan(
            DUAL,
            "dual code %s by %s: %s".formatted(ofDual.code, plan.method(), plan.description()),
            Math.pow(code.length(), 4) / DUAL_RATE,
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
