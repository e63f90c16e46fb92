package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.weights.codes.BinaryCode;
import io.fieldstone.weights.codes.CodeCoordinates;
import io.fieldstone.weights.codes.CodeMatrix;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;

/**
 * Counts the words of a code of any length by weight, if it has at most 2^32 words, or at most 32
 * checks: by Walsh–Hadamard transforms of the columns of the generators or of the checks. Words of
 * a code with few checks follow from those of its dual by MacWilliams' identity.
 *
 * {@snippet :
 * CodeMatrix crc = CodeFamily.matrix("polynomial:12144,104C11DB7");
 * List<BigInteger> counts = LongCodeWeights.of(crc, engine).counts(6, done -> true);
 * }
 *
 * <p>For one thread at a time.
 */
public final class LongCodeWeights {

  /** The maximum number of generators, or of checks. */
  public static final int MAX_ROWS = WalshCounts.MAX_ROWS;

  /** The maximum number of counts times the length, about ten seconds of MacWilliams' identity. */
  public static final long MAX_TERMS = 1 << 25;

  /** The rows of a call: a share of a second on a few cores. */
  private static final int CALL_ROWS = 27;

  private final Engine engine;
  private final CodeMatrix code;

  private LongCodeWeights(Engine engine, CodeMatrix code) {
    this.engine = engine;
    this.code = code;
  }

  /**
   * Returns the weights of a code on an engine, which the caller closes.
   *
   * @throws IllegalArgumentException if it has more than {@value #MAX_ROWS} generators and checks
   */
  public static LongCodeWeights of(CodeMatrix code, Engine engine) {
    engine.requireOpen();
    if (Math.min(code.dimension(), code.length() - code.dimension()) > MAX_ROWS) {
      throw new IllegalArgumentException(
          "code %s: weights of codes longer than %d need k or n - k of at most %d"
              .formatted(code, BinaryCode.MAX_LENGTH, MAX_ROWS));
    }
    return new LongCodeWeights(engine, code.rows().rows() <= MAX_ROWS ? code : code.byOtherRows());
  }

  /** Returns the code. */
  public CodeMatrix code() {
    return code;
  }

  /** Returns the number of generators or checks whose sums are counted. */
  public int rows() {
    return code.rows().rows();
  }

  /**
   * Returns the numbers of words of weight 0, 1, …; empty if it was stopped.
   *
   * @param maxWeight the largest weight, 0 … n
   * @param progress receives the share that is done, 0 to 1; returns false to stop
   * @throws IllegalArgumentException if the weight is out of range, or there are more than {@value
   *     #MAX_TERMS} terms (n + 1) · (maxWeight + 1) for a code with few checks
   */
  public Optional<List<BigInteger>> counts(int maxWeight, DoublePredicate progress) {
    if (maxWeight < 0 || maxWeight > code.length()) {
      throw new IllegalArgumentException(
          "weight %d is not in 0…%d".formatted(maxWeight, code.length()));
    }
    if (code.isParityCheck() && (code.length() + 1L) * (maxWeight + 1) > MAX_TERMS) {
      throw new IllegalArgumentException(
          "weights 0 to %d of a code of length %d are too many; to %d is possible"
              .formatted(maxWeight, code.length(), MAX_TERMS / (code.length() + 1) - 1));
    }
    Optional<long[]> spanned = spanned(progress);
    return spanned.map(numbers -> {
      List<BigInteger> counts = Arrays.stream(numbers).mapToObj(BigInteger::valueOf).toList();
      return code.isParityCheck()
          ? MacWilliams.single(counts, maxWeight)
          : counts.subList(0, maxWeight + 1);
    });
  }

  /** Counts the sums of the rows by weight. */
  private Optional<long[]> spanned(DoublePredicate progress) {
    List<long[]> rows = new ArrayList<>();
    for (int row = 0; row < code.rows().rows(); row++) {
      rows.add(code.rows().row(row));
    }
    // With the word of ones, each word has its complement: half of them are counted.
    Optional<BitSet> ones = CodeCoordinates.of(rows).of(BinaryCode.allOnes(code.length()));
    ones.ifPresent(sum -> rows.remove(sum.nextSetBit(0)));
    int[] columns = columns(rows);
    int low = Math.min(rows.size(), CALL_ROWS);
    long[] counts = new long[code.length() + 1];
    int calls = 1 << rows.size() - low;
    for (int high = 0; high < calls; high++) {
      if (!progress.test((double) high / calls)) {
        return Optional.empty();
      }
      long[] more = engine.walshCounts().count(coset(columns, low, high), low);
      Arrays.setAll(counts, weight -> counts[weight] + more[weight]);
    }
    if (ones.isPresent()) {
      long[] half = counts.clone();
      Arrays.setAll(counts, weight -> half[weight] + half[half.length - 1 - weight]);
    }
    return Optional.of(counts);
  }

  private int[] columns(List<long[]> rows) {
    int[] columns = new int[code.length()];
    for (int row = 0; row < rows.size(); row++) {
      long[] bits = rows.get(row);
      for (int column = 0; column < columns.length; column++) {
        columns[column] |= (int) (bits[column / Long.SIZE] >>> column & 1) << row;
      }
    }
    return columns;
  }

  /** Returns the columns of the lowest rows, and above them the sum of chosen higher ones. */
  private static int[] coset(int[] columns, int low, int chosen) {
    int[] coset = new int[columns.length];
    int mask = (1 << low) - 1;
    for (int i = 0; i < coset.length; i++) {
      int odd = Integer.bitCount(columns[i] >>> low & chosen) & 1;
      coset[i] = columns[i] & mask | odd << low;
    }
    return coset;
  }

  /** Returns the parameters of the code, and what is transformed. */
  @Override
  public String toString() {
    return "code %s by the 2^%d sums of its %s"
        .formatted(code, rows(), code.isParityCheck() ? "checks" : "generators");
  }
}
