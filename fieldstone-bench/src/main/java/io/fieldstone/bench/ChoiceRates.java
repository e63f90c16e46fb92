package io.fieldstone.bench;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.PairCounting;
import io.fieldstone.engine.weights.PairTable;
import io.fieldstone.engine.weights.WordGroups;
import io.fieldstone.field.Gf256;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointRun;
import io.fieldstone.weights.JointWeights;
import io.fieldstone.weights.codes.CodeFamily;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Measures the rates that constants stand for in the choice of engines and methods: {@code
 * Workload.THREAD_RATE} and {@code NominalRates}. They are those of one thread of the cores, and of
 * a whole GPU.
 */
final class ChoiceRates {

  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 4096;
  private static final int GENERATIONS = 128;

  /** The bits and the ones of words whose pairs are counted. */
  private static final int LENGTH = 127;

  private static final int WEIGHT = 64;

  /** The words of each side, for each method: few enough for its rate. */
  private static final int WORDS = 8192;

  private static final int NAIVE_WORDS = 1024;

  /** The code whose distribution takes {@link #TRANSFORM_OPERATIONS} by transforms. */
  private static final String CODE = "bch:127,22";

  private static final double TRANSFORM_OPERATIONS = 2e9;

  private final Run run;
  private final Table.Builder table =
      Table.named(
          "choice",
          "Rates by which engines and methods are chosen",
          "engine",
          "rate",
          "stands for",
          "G per second");

  private ChoiceRates(Run run) {
    this.run = run;
  }

  /** Measures the rates of all hardware. */
  static Table of(Run run, BenchEngines engines) {
    ChoiceRates rates = new ChoiceRates(run);
    for (String spec : engines.hardware()) {
      Engine engine = engines.open(spec, 1);
      if (engine.kind() == EngineKind.CPU) {
        rates.addProducts(spec, engine);
      }
      rates.addPairs(spec, engine);
      rates.addTransforms(spec, engine);
    }
    return rates
        .table
        .note("One thread of the cores, a whole GPU. Medians of the samples.")
        .note(
            "GF-MAC: (%d, %d) from %d MiB of memory. Pairs: words of %d bits of one weight, %d × %d"
                    .formatted(
                        BLOCKS,
                        BLOCK_BYTES,
                        (long) GENERATIONS * BLOCKS * BLOCK_BYTES >> 20,
                        LENGTH,
                        WORDS,
                        WORDS)
                + ", and fewer for the method 'naive'. Operations: the joint weights of "
                + CODE
                + " by transforms.")
        .build();
  }

  private void add(String spec, String rate, String constant, Candidate candidate) {
    Measurement measured = run.measure(rate, List.of(candidate)).getFirst();
    table.row(Cell.of(spec), Cell.of(rate), Cell.of(constant), Cell.of(measured.medianRate()));
  }

  private void addProducts(String spec, Engine engine) {
    int count = run.blocks(GENERATIONS);
    try (Arena arena = Arena.ofShared();
        ResidentBlocks resident = engine.allocate(Gf256.DEFAULT, count, BLOCKS, BLOCK_BYTES)) {
      long bytes = (long) count * BLOCKS * BLOCK_BYTES;
      MemorySegment sources = arena.allocate(bytes);
      MemorySegment products = arena.allocate(bytes);
      MemorySegment coefficients = arena.allocate((long) count * BLOCKS * BLOCKS);
      RandomBytes.fill(sources, 1);
      RandomBytes.fill(coefficients, 2);
      resident.store(0, ByteMatrices.packed(sources, count, BLOCKS, BLOCK_BYTES));
      ByteMatrices factors = ByteMatrices.packed(coefficients, count, BLOCKS, BLOCKS);
      ByteMatrices results = ByteMatrices.packed(products, count, BLOCKS, BLOCK_BYTES);
      add(
          spec,
          "GF-MAC, products from memory",
          "Workload.THREAD_RATE",
          new Candidate(
              spec + " products",
              (double) bytes * BLOCKS,
              () -> resident.multiply(0, factors, results)));
    }
  }

  private void addPairs(String spec, Engine engine) {
    for (String method : engine.pairCounts().methods()) {
      int count = run.blocks(method.equals("naive") ? NAIVE_WORDS : WORDS);
      WordGroups words = words(count);
      PairTable pairs = PairTable.of(words, words);
      try (PairCounting counting = engine.pairCounts().open(words, words, method)) {
        add(
            spec,
            "pairs by " + method,
            "NominalRates.pairs",
            new Candidate(
                spec + " pairs by " + method,
                (double) count * count,
                () -> counting.count(0, count, 0, count, pairs)));
      }
    }
  }

  private static WordGroups words(int count) {
    SplittableRandom random = new SplittableRandom(count);
    int longs = BinaryWords.longsFor(LENGTH);
    BinaryWords words =
        new BinaryWords(MemorySegment.ofArray(new long[count * longs]), count, LENGTH);
    for (int word = 0; word < count; word++) {
      int ones = WEIGHT;
      for (int bit = 0; bit < LENGTH; bit++) {
        if (random.nextInt(LENGTH - bit) < ones) {
          ones--;
          int part = bit / Long.SIZE;
          words.set(word, part, words.get(word, part) | 1L << bit);
        }
      }
    }
    return new WordGroups(words, List.of(new WordGroups.Group(WEIGHT, count)));
  }

  private void addTransforms(String spec, Engine engine) {
    JointPlan plan = JointWeights.of(CodeFamily.parse(CODE), engine).plan("transform");
    add(
        spec,
        "operations of transforms",
        "NominalRates.transformOperations",
        new Candidate(spec + " transforms", TRANSFORM_OPERATIONS, () -> complete(plan)));
  }

  private static void complete(JointPlan plan) {
    try (JointRun distribution = plan.newRun()) {
      while (distribution.unitsDone() < distribution.units()) {
        distribution.step(distribution.units() - distribution.unitsDone());
      }
    }
  }
}
