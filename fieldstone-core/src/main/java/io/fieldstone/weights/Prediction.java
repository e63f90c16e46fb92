package io.fieldstone.weights;

import java.util.function.DoubleSupplier;

/**
 * How long something will take.
 *
 * @param operations how much there is to do
 * @param rate how much of it an engine does a second; measured when it is first asked for
 * @param extraSeconds what comes on top
 */
record Prediction(double operations, DoubleSupplier rate, double extraSeconds) {

  double seconds() {
    return operations / rate.getAsDouble() + extraSeconds;
  }
}
