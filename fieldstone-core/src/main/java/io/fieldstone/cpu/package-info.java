/**
 * The adapter to this machine's cores. {@code CpuVariant} lists its engines, {@code CpuEngine} is
 * one of them.
 *
 * <p>Each job has a package of the same name as its ports. The packages of jobs use {@code
 * execution} and not each other. {@code Scalar*} classes are the oracle that all engines are tested
 * against, {@code Vector*} classes use {@code jdk.incubator.vector}. No other package names a class
 * of these; they are found through {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.fieldstone.cpu;

import org.jspecify.annotations.NullMarked;
