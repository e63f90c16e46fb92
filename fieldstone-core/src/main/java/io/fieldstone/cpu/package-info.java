/**
 * The ports on this machine's own cores.
 *
 * <p>{@code Scalar*} is the oracle: slow, plain, and what every other engine is tested against.
 * {@code Vector*} uses jdk.incubator.vector. Nothing outside this package names it; it is found
 * through {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.fieldstone.cpu;

import org.jspecify.annotations.NullMarked;
