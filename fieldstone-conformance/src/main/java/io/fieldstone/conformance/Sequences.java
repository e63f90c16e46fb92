package io.fieldstone.conformance;

import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Linear feedback shift registers with primitive polynomials of one degree, whose sequences have
 * period 2^degree − 1. A state is the next {@code degree} bits of the sequence, from the lowest.
 *
 * @param feedbacks for each register, the mask of the state bits whose sum is the next bit
 */
record Sequences(int degree, List<Integer> feedbacks) {

  /** Returns two registers of degree 3 or three registers of degree 5. */
  static Sequences of(int degree) {
    return switch (degree) {
      // x^3 + x + 1 and x^3 + x^2 + 1.
      case 3 -> new Sequences(degree, List.of(0b011, 0b101));
      // x^5 + x^2 + 1, x^5 + x^4 + x^3 + x^2 + 1 and x^5 + x^4 + x^2 + x + 1.
      case 5 -> new Sequences(degree, List.of(0b00101, 0b11101, 0b10111));
      default -> throw new IllegalArgumentException("degree " + degree);
    };
  }

  int period() {
    return (1 << degree) - 1;
  }

  private int next(int register, int state) {
    int nextBit = Integer.bitCount(state & feedbacks.get(register)) & 1;
    return state >>> 1 | nextBit << (degree - 1);
  }

  /** Writes a basis: the sequences of all one-bit states of the first registers. */
  void write(int registers, BinaryWords basis) {
    for (int row = 0; row < registers * degree; row++) {
      int state = 1 << row % degree;
      for (int bit = 0; bit < period(); bit++) {
        if ((state & 1) == 1) {
          RandomWords.set(basis, row, bit);
        }
        state = next(row / degree, state);
      }
    }
  }

  /**
   * Returns all shifts as maps of the states of the first registers, of which the first are high.
   */
  List<Symmetry> shifts(int registers, int high) {
    List<Symmetry> shifts = new ArrayList<>();
    for (int shift = 0; shift < period(); shift++) {
      int steps = shift;
      List<Integer> images =
          IntStream.range(0, registers * degree)
              .mapToObj(bit -> image(bit, steps, bit / degree >= high ? high : 0))
              .toList();
      shifts.add(
          new Symmetry(
              images.subList(0, high * degree), images.subList(high * degree, images.size())));
    }
    return shifts;
  }

  private int image(int bit, int steps, int firstRegister) {
    int register = bit / degree;
    int state = 1 << bit % degree;
    for (int step = 0; step < steps; step++) {
      state = next(register, state);
    }
    return state << (register - firstRegister) * degree;
  }
}
