package io.fieldstone.cli.codes;

import io.fieldstone.weights.codes.Permutation;
import io.fieldstone.weights.distance.LightWord;
import io.fieldstone.weights.distance.StabilizerWords;
import io.fieldstone.weights.distance.WordSpace;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Words whose least weight is sought, and how they are written: by the positions of their ones, or
 * as Pauli operators.
 *
 * @param operators {@code words} of a code, the logical operators {@code X}, {@code Z} or {@code
 *     logical}, or the {@code stabilizers} of a state
 * @param paulis the operators that the words of the space stand for, if they do
 */
record Side(String operators, WordSpace space, Optional<StabilizerWords> paulis) {

  static Side ofCode(WordSpace space) {
    return new Side("words", space, Optional.empty());
  }

  /** Returns one kind of logical operators of a CSS code. */
  static Side ofCss(String operators, WordSpace space) {
    return new Side(operators, space, Optional.empty());
  }

  static Side ofStabilizer(StabilizerWords words) {
    return new Side(
        words.code().logicalQubits() == 0 ? "stabilizers" : "logical",
        words.space(),
        Optional.of(words));
  }

  /** Tests for one of two kinds of operators, those of a CSS code. */
  boolean isOneOfTwo() {
    return paulis.isEmpty() && space.isQuotient();
  }

  /** Returns the start of a line about this side: empty if it is the only one. */
  String prefix() {
    return isOneOfTwo() ? operators + ": " : "";
  }

  /** Returns the parameters of the code. */
  String code() {
    return paulis.map(words -> words.code().toString()).orElseGet(space::toString);
  }

  int length() {
    return paulis.map(words -> words.code().qubits()).orElseGet(space::length);
  }

  int dimension() {
    return paulis.map(words -> words.code().logicalQubits()).orElseGet(space::logicalDimension);
  }

  /** Returns the least weight of operators whose words have at least a weight. */
  int weight(int wordWeight) {
    return paulis.map(words -> words.operatorWeight(wordWeight)).orElse(wordWeight);
  }

  int weight(LightWord word) {
    return weight(word.weight());
  }

  /** Returns the weight of the words of operators of a weight. */
  int wordWeight(int weight) {
    return paulis.map(words -> words.wordWeight(weight)).orElse(weight);
  }

  /** Returns the positions, or qubits, where a word is not zero. */
  List<Integer> support(LightWord word) {
    return paulis.map(words -> words.qubits(word)).orElseGet(word::positions);
  }

  /** Returns the bits that are ones: positions, or bits of (X|Z). */
  List<Integer> ones(LightWord word) {
    return paulis.map(words -> words.bits(word)).orElseGet(word::positions);
  }

  /** Returns the letters of the operator of a word, if it is one. */
  Optional<String> letters(LightWord word) {
    return paulis.map(words -> words.operator(word));
  }

  /** Returns a word for display. */
  String text(LightWord word) {
    return letters(word)
        .orElseGet(
            () -> word.positions().stream().map(String::valueOf).collect(Collectors.joining(" ")));
  }

  /** Returns a permutation of the positions of the space by one of the code. */
  Permutation positions(Permutation permutation) {
    return paulis.map(words -> words.positions(permutation)).orElse(permutation);
  }

  /** Returns what the words are, for display. */
  String noun() {
    return switch (operators) {
      case "words" -> "in the code";
      case "stabilizers" -> "a stabilizer of the state, other than the identity";
      default -> "a logical operator of the code";
    };
  }
}
