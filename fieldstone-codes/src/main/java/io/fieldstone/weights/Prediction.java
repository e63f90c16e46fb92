package io.fieldstone.weights;

import java.util.function.DoubleSupplier;

/**
 * A prediction of the duration of a computation.
 *
 * @param operations the number of operations
 * @param rate the operations per second of an engine, measured on first use
 * @param extraSeconds additional time
 */
record Prediction(double operations, DoubleSupplier rate, double extraSeconds) {

  double seconds() {
    return operations / rate.getAsDouble() + extraSeconds;
  }
}
