/**
 * Arithmetic in GF(2<sup>8</sup>), matrices over GF(2<sup>8</sup>) and GF(2), polynomials over
 * GF(2), and the generator of random elements.
 *
 * <p>All code is scalar and simple: it is the reference for tests of the fast engines, and computes
 * small inputs such as coding matrices, product tables and parity checks. Every class is final,
 * immutable and thread-safe. There is no input, output, thread or native memory, and no dependency
 * on other packages. A loop that must be fast belongs behind a port in {@code
 * io.fieldstone.engine}.
 */
@NullMarked
package io.fieldstone.field;

import org.jspecify.annotations.NullMarked;
