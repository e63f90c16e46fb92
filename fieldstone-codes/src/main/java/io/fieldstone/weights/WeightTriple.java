package io.fieldstone.weights;

/** The weights of two words and of their sum. */
record WeightTriple(int first, int second, int sum) {}
