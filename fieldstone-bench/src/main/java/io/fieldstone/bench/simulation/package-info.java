/**
 * A live sender and its receiver in virtual time, over the model of a path. Tests and benchmarks
 * decide with it whether {@link io.fieldstone.rlnc.repair.RepairPolicy} reaches its goals; a
 * simulated hour takes seconds. Read {@link io.fieldstone.bench.simulation.LiveSimulation} first.
 */
@NullMarked
package io.fieldstone.bench.simulation;

import org.jspecify.annotations.NullMarked;
