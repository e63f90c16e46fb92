package io.fieldstone.weights.distance;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.PauliText;
import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.codes.StabilizerCode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The operators whose least weight is the distance of a stabilizer code: those that commute with
 * the stabilizer and are outside it; of a stabilizer state, those of the stabilizer but the
 * identity. Immutable and thread-safe.
 *
 * <p>They are words of 3n bits. Qubit i has the bits 3i to 3i + 2: x, z and x + z, of which two are
 * ones if the operator acts there. So the weight of a word is twice that of the operator, and a
 * permutation of x, z and x + z of all qubits is one of positions.
 *
 * {@snippet :
 * StabilizerWords five = StabilizerWords.of(StabilizerFile.parse("file", bytes, MAX_QUBITS));
 * DistanceProof proof = DistanceProof.of(engine, five.space(), List.of());
 * LightWord word = proof.run(step -> true).lightest().orElseThrow();
 * String operator = five.operator(word); // of weight word.weight() / 2
 * }
 */
public final class StabilizerWords {

  /** The bits of a qubit. */
  private static final int BITS = 3;

  /** The ones of a qubit where an operator acts. */
  private static final int ONES = 2;

  /** The maximum number of qubits. */
  public static final int MAX_QUBITS = WordSpace.MAX_LENGTH / BITS;

  private final StabilizerCode code;
  private final WordSpace space;

  private StabilizerWords(StabilizerCode code) {
    this.code = code;
    Gf2Matrix excluded =
        code.logicalQubits() == 0
            ? Gf2Matrix.ofPacked(BITS * code.qubits())
            : words(code.generators());
    this.space = WordSpace.outside(checks(code), excluded, BITS);
  }

  /**
   * Returns the operators of a code.
   *
   * @throws IllegalArgumentException if it has more than {@link #MAX_QUBITS} qubits
   */
  public static StabilizerWords of(StabilizerCode code) {
    if (code.qubits() > MAX_QUBITS) {
      throw new IllegalArgumentException(
          "%d qubits are not in 1…%d".formatted(code.qubits(), MAX_QUBITS));
    }
    return new StabilizerWords(code);
  }

  /** Returns the words of operators (X|Z). */
  private static Gf2Matrix words(Gf2Matrix operators) {
    int qubits = operators.columns() / 2;
    return Gf2Matrix.generate(
        operators.rows(),
        BITS * qubits,
        (row, place) -> {
          int x = operators.get(row, place / BITS);
          int z = operators.get(row, qubits + place / BITS);
          return switch (place % BITS) {
            case 0 -> x;
            case 1 -> z;
            default -> x ^ z;
          };
        });
  }

  /**
   * Returns the checks of words: those of the code for the bits x and z, and for each qubit that
   * the sum of its bits is zero.
   */
  private static Gf2Matrix checks(StabilizerCode code) {
    Gf2Matrix checks = code.checks();
    int qubits = code.qubits();
    return Gf2Matrix.generate(
        checks.rows() + qubits,
        BITS * qubits,
        (row, place) -> {
          int qubit = place / BITS;
          if (row >= checks.rows()) {
            return row - checks.rows() == qubit ? 1 : 0;
          }
          return switch (place % BITS) {
            case 0 -> checks.get(row, qubit);
            case 1 -> checks.get(row, qubits + qubit);
            default -> 0;
          };
        });
  }

  /** Returns the code. */
  public StabilizerCode code() {
    return code;
  }

  /** Returns the words of the operators. */
  public WordSpace space() {
    return space;
  }

  /** Returns the least weight of operators whose words have at least a weight. */
  public int operatorWeight(int wordWeight) {
    return Math.ceilDiv(wordWeight, ONES);
  }

  /** Returns the weight of the words of operators of a weight. */
  public int wordWeight(int operatorWeight) {
    return ONES * operatorWeight;
  }

  /** Returns the letters of the operator of a word, such as {@code XZZXI}. */
  public String operator(LightWord word) {
    BitSet ones = new BitSet();
    bits(word).forEach(ones::set);
    return PauliText.format(ones, code.qubits());
  }

  /** Returns the ones of the operator (X|Z) of a word, ascending: bit n + i is z of qubit i. */
  public List<Integer> bits(LightWord word) {
    return word.positions().stream()
        .filter(position -> position % BITS < 2)
        .map(position -> position / BITS + position % BITS * code.qubits())
        .sorted()
        .toList();
  }

  /** Returns the qubits on which the operator of a word acts, ascending. */
  public List<Integer> qubits(LightWord word) {
    return word.positions().stream().map(position -> position / BITS).distinct().toList();
  }

  /**
   * Returns the words of operators.
   *
   * @param operators rows (X|Z)
   * @throws IllegalArgumentException if they are not of the qubits of the code
   */
  public List<LightWord> wordsOf(Gf2Matrix operators) {
    if (operators.columns() != 2 * code.qubits()) {
      throw new IllegalArgumentException(
          "operators of %d qubits, the code has %d"
              .formatted(operators.columns() / 2, code.qubits()));
    }
    Gf2Matrix words = words(operators);
    return IntStream.range(0, words.rows()).mapToObj(row -> LightWord.of(words.row(row))).toList();
  }

  /**
   * Returns the permutation of positions of one of qubits.
   *
   * @throws IllegalArgumentException if it is not of the qubits of the code
   */
  public Permutation positions(Permutation qubits) {
    if (qubits.length() != code.qubits()) {
      throw new IllegalArgumentException(
          "the permutation has %d positions, the code has %d qubits"
              .formatted(qubits.length(), code.qubits()));
    }
    List<Integer> images = new ArrayList<>();
    for (int image : qubits.images()) {
      for (int bit = 0; bit < BITS; bit++) {
        images.add(BITS * image + bit);
      }
    }
    return new Permutation(images);
  }
}
