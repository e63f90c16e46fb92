/** Weights and joint weights of binary linear codes. */
module io.fieldstone.codes {
  requires transitive io.fieldstone.stream;
  requires static org.jspecify;

  exports io.fieldstone.weights;
  exports io.fieldstone.weights.codes;
  exports io.fieldstone.weights.distance;
}
