/**
 * Joint weight distributions and minimum distances, with slices of the work as tasks. Begin with
 * {@link io.fieldstone.spark.weights.WeightsJob}.
 */
@NullMarked
package io.fieldstone.spark.weights;

import org.jspecify.annotations.NullMarked;
