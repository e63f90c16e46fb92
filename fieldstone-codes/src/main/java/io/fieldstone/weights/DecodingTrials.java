package io.fieldstone.weights;

import io.fieldstone.weights.codes.BinaryCode;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Simulates maximum-likelihood decoding at two receivers of the same word over binary symmetric
 * channels whose errors correlate. It compares the received words with every word of the code, so a
 * trial costs 2·2^k distances. The zero word is sent without loss of generality.
 *
 * <p>Immutable and thread-safe.
 */
public final class DecodingTrials {

  /** The maximum dimension: all words are in memory. */
  public static final int MAX_DIMENSION = 16;

  private final int length;
  private final int wordLongs;

  /** All words of the code, the zero word first. */
  private final long[] words;

  /**
   * The outcome of trials.
   *
   * @param trials the number of trials
   * @param first trials in which the first receiver decoded wrongly
   * @param both trials in which both receivers decoded wrongly
   */
  public record Failures(int trials, int first, int both) {

    /** Returns the share of trials in which the first receiver decoded wrongly. */
    public double firstRate() {
      return (double) first / trials;
    }

    /** Returns the share of trials in which both receivers decoded wrongly. */
    public double bothRate() {
      return (double) both / trials;
    }
  }

  /**
   * Prepares trials of a code.
   *
   * @throws IllegalArgumentException if its dimension exceeds {@link #MAX_DIMENSION}
   */
  public DecodingTrials(BinaryCode code) {
    if (code.dimension() > MAX_DIMENSION) {
      throw new IllegalArgumentException(
          "dimension %d exceeds %d, the maximum for simulation"
              .formatted(code.dimension(), MAX_DIMENSION));
    }
    this.length = code.length();
    this.wordLongs = Math.ceilDiv(length, Long.SIZE);
    this.words = new long[wordLongs << code.dimension()];
    for (int message = 1; message < 1 << code.dimension(); message++) {
      long[] row = code.generator().row(Integer.numberOfTrailingZeros(message));
      int rest = message & (message - 1);
      for (int i = 0; i < wordLongs; i++) {
        words[message * wordLongs + i] = words[rest * wordLongs + i] ^ row[i];
      }
    }
  }

  /**
   * Runs trials.
   *
   * @param random draws the errors, and which of several nearest words is chosen
   * @throws IllegalArgumentException if there is no trial
   */
  public Failures run(BitErrors errors, int trials, SplittableRandom random) {
    if (trials < 1) {
      throw new IllegalArgumentException(trials + " trials are less than 1");
    }
    long[] first = new long[wordLongs];
    long[] second = new long[wordLongs];
    int firstFailures = 0;
    int bothFailures = 0;
    for (int trial = 0; trial < trials; trial++) {
      draw(errors, random, first, second);
      if (isWrong(first, random)) {
        firstFailures++;
        bothFailures += isWrong(second, random) ? 1 : 0;
      }
    }
    return new Failures(trials, firstFailures, bothFailures);
  }

  private void draw(BitErrors errors, SplittableRandom random, long[] first, long[] second) {
    Arrays.fill(first, 0);
    Arrays.fill(second, 0);
    for (int bit = 0; bit < length; bit++) {
      double draw = random.nextDouble();
      boolean isBoth = draw < errors.both();
      if (isBoth || draw < errors.both() + errors.first()) {
        first[bit / Long.SIZE] |= 1L << bit;
      }
      if (isBoth || draw >= errors.both() + errors.first() && draw < 1 - errors.neither()) {
        second[bit / Long.SIZE] |= 1L << bit;
      }
    }
  }

  /** Returns true if a word other than zero is chosen among the nearest ones. */
  private boolean isWrong(long[] received, SplittableRandom random) {
    int least = distance(received, 0);
    int nearest = 1;
    for (int at = wordLongs; at < words.length; at += wordLongs) {
      int distance = distance(received, at);
      if (distance < least) {
        return true;
      }
      nearest += distance == least ? 1 : 0;
    }
    return nearest > 1 && random.nextInt(nearest) > 0;
  }

  private int distance(long[] received, int at) {
    int distance = 0;
    for (int i = 0; i < wordLongs; i++) {
      distance += Long.bitCount(received[i] ^ words[at + i]);
    }
    return distance;
  }
}
