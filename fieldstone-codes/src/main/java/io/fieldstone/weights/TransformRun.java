package io.fieldstone.weights;

import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Sums slices of a transform, a few at a time. A unit of work is a slice. */
final class TransformRun implements JointRun {

  private final int first;
  private final TransformSlices transform;
  private final List<Long> counts;
  private final boolean isHalf;
  private final TripleProducts products;
  private final Arena arena;
  private final TripleSums sums;
  private int unitsDone;

  /**
   * Creates a run.
   *
   * @param first the number of the first slice, 0 for a run of all
   * @param counts the words by weight; one has weight 0
   * @param isHalf true if complements of words are added to the result
   * @param sums of the transform's weights, all zero
   * @param arena the arena of the transform's basis, closed by this run
   */
  TransformRun(
      int first,
      TransformSlices transform,
      List<Long> counts,
      boolean isHalf,
      TripleSums sums,
      TripleProducts products,
      Arena arena) {
    this.first = first;
    this.transform = transform;
    this.counts = counts;
    this.isHalf = isHalf;
    this.products = products;
    this.arena = arena;
    this.sums = sums;
    this.unitsDone = first;
  }

  @Override
  public long units() {
    return (long) first + transform.slices().size();
  }

  @Override
  public long unitsDone() {
    return unitsDone;
  }

  @Override
  public void step(long units) {
    int count = (int) Math.min(units, units() - unitsDone);
    products.add(unitsDone - first, count, sums);
    unitsDone += count;
  }

  @Override
  public long[] state() {
    return sums.toArray();
  }

  @Override
  public void restore(long unitsDone, long[] state) {
    Objects.checkIndex(unitsDone, units() + 1);
    requireState(state);
    sums.clear();
    addSums(state);
    this.unitsDone = (int) unitsDone;
  }

  @Override
  public void add(long units, long[] state) {
    SavedRun.requireLeft(this, units);
    requireState(state);
    addSums(state);
    unitsDone += (int) units;
  }

  private void requireState(long[] state) {
    long expected = 2L * TripleSums.count(sums.order());
    if (state.length != expected) {
      throw new IllegalArgumentException(
          "a state of %d numbers, expected %d".formatted(state.length, expected));
    }
  }

  private void addSums(long[] state) {
    for (int i = 0; i < state.length; i += 2) {
      sums.add(i / 2, state[i + 1], state[i]);
    }
  }

  @Override
  public JointWeightDistribution result() {
    if (unitsDone < units()) {
      throw new IllegalStateException(
          "%d of %d slices are done; the result needs all".formatted(unitsDone, units()));
    }
    BigInteger size = BigInteger.ONE.shiftLeft((int) transform.basis().count());
    List<Integer> weights = transform.weights();
    Map<WeightTriple, BigInteger> triples = new HashMap<>();
    for (int a = 0; a < weights.size(); a++) {
      for (int b = 0; b < weights.size(); b++) {
        for (int c = 0; c < weights.size(); c++) {
          BigInteger count = MacWilliams.exactly(sums.get(a, b, c), size);
          add(triples, weights.get(a), weights.get(b), weights.get(c), count);
        }
      }
    }
    // The pairs of the word 0, which the transform leaves out: (0,0), (0,v), (u,0), (u,u).
    add(triples, 0, 0, 0, BigInteger.ONE);
    for (int weight : weights) {
      BigInteger words = BigInteger.valueOf(counts.get(weight));
      add(triples, 0, weight, weight, words);
      add(triples, weight, 0, weight, words);
      add(triples, weight, weight, 0, words);
    }
    return JointWeightDistribution.ofTriples(transform.basis().length(), triples);
  }

  /** Adds a pair and the pairs of its complements. */
  private void add(Map<WeightTriple, BigInteger> triples, int a, int b, int c, BigInteger count) {
    int n = transform.basis().length();
    triples.merge(new WeightTriple(a, b, c), count, BigInteger::add);
    if (isHalf) {
      triples.merge(new WeightTriple(n - a, b, n - c), count, BigInteger::add);
      triples.merge(new WeightTriple(a, n - b, n - c), count, BigInteger::add);
      triples.merge(new WeightTriple(n - a, n - b, c), count, BigInteger::add);
    }
  }

  @Override
  public void close() {
    products.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
