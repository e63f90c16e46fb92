package io.fieldstone.weights;

import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Counts pairs of words, a few rows at a time. A unit of work is a row: one left word. */
final class PairRun implements JointRun {

  private final PairWords words;
  private final PairCounting counting;
  private final PairTable table;
  private final List<Band> bands;
  private long unitsDone;

  /**
   * Left words and the right words that they are paired with.
   *
   * @param firstUnit the number of rows in all earlier bands
   */
  record Band(long firstUnit, long firstLeft, long countLeft, long firstRight, long countRight) {}

  /**
   * Creates a run, which closes the words and the counting.
   *
   * @param table of the words, without counts
   */
  PairRun(PairWords words, PairTable table, List<Band> bands, PairCounting counting) {
    this.words = words;
    this.table = table;
    this.bands = bands;
    this.counting = counting;
  }

  @Override
  public long units() {
    return bands.isEmpty() ? 0 : bands.getLast().firstUnit() + bands.getLast().countLeft();
  }

  @Override
  public long unitsDone() {
    return unitsDone;
  }

  @Override
  public void step(long units) {
    long end = Math.min(units(), unitsDone + units);
    for (Band band : bands) {
      long from = Math.max(unitsDone, band.firstUnit());
      long to = Math.min(end, band.firstUnit() + band.countLeft());
      if (from < to) {
        counting.count(
            band.firstLeft() + from - band.firstUnit(),
            to - from,
            band.firstRight(),
            band.countRight(),
            table);
        unitsDone = to;
      }
    }
  }

  @Override
  public long[] state() {
    return table.toArray();
  }

  @Override
  public void restore(long unitsDone, long[] state) {
    Objects.checkIndex(unitsDone, units() + 1);
    requireState(state);
    table.clear();
    addCounts(state);
    this.unitsDone = unitsDone;
  }

  @Override
  public void add(long units, long[] state) {
    SavedRun.requireLeft(this, units);
    requireState(state);
    addCounts(state);
    unitsDone += units;
  }

  private void requireState(long[] state) {
    int expected = table.leftGroups() * table.rightGroups() * (table.length() + 1);
    if (state.length != expected) {
      throw new IllegalArgumentException(
          "a state of %d counts, expected %d".formatted(state.length, expected));
    }
  }

  private void addCounts(long[] state) {
    int xs = table.length() + 1;
    for (int i = 0; i < state.length; i++) {
      int pair = i / xs;
      table.add(pair / table.rightGroups(), pair % table.rightGroups(), i % xs, state[i]);
    }
  }

  @Override
  public JointWeightDistribution result() {
    if (unitsDone < units()) {
      throw new IllegalStateException(
          "%d of %d rows are done; the result needs all".formatted(unitsDone, units()));
    }
    Map<WeightTriple, BigInteger> triples = new HashMap<>();
    for (int left = 0; left < table.leftGroups(); left++) {
      for (int right = 0; right < table.rightGroups(); right++) {
        addTo(triples, left, right);
      }
    }
    return JointWeightDistribution.ofTriples(table.length(), triples);
  }

  private void addTo(Map<WeightTriple, BigInteger> triples, int left, int right) {
    int a = words.left().groups().get(left).weight();
    int b = words.right().groups().get(right).weight();
    BigInteger multiplicity = BigInteger.valueOf(words.multiplicities().get(left));
    for (int x = 0; x <= table.length(); x++) {
      long pairs = table.get(left, right, x);
      if (pairs != 0) {
        BigInteger count = BigInteger.valueOf(pairs).multiply(multiplicity);
        int c = a + b - 2 * x;
        if (words.isSymmetric()) {
          // Counts of these weights in one order hold for all six.
          for (WeightTriple triple :
              List.of(
                  new WeightTriple(a, b, c),
                  new WeightTriple(a, c, b),
                  new WeightTriple(b, a, c),
                  new WeightTriple(b, c, a),
                  new WeightTriple(c, a, b),
                  new WeightTriple(c, b, a))) {
            triples.put(triple, count);
          }
        } else {
          triples.merge(new WeightTriple(a, b, c), count, BigInteger::add);
        }
      }
    }
  }

  @Override
  public void close() {
    counting.close();
    words.close();
  }
}
