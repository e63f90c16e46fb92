/**
 * Engines on the cores of this machine. {@code CpuVariant} lists its engines, {@code CpuEngine} is
 * one of them.
 *
 * <p>Each subpackage is named after the ports that it implements. They use {@code execution}, but
 * not each other. {@code Scalar*} classes are the oracle for all other engines, {@code Vector*}
 * classes use {@code jdk.incubator.vector}. No other package refers to these classes; {@link
 * java.util.ServiceLoader} finds them.
 */
@NullMarked
package io.fieldstone.cpu;

import org.jspecify.annotations.NullMarked;
