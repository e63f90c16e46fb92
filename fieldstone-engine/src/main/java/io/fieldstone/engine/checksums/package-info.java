/**
 * The checksum port, which divides messages by polynomials over GF(2): start with {@link
 * io.fieldstone.engine.checksums.Checksums}. {@link io.fieldstone.engine.checksums.PolynomialSieve}
 * excludes polynomials that detect too few errors.
 */
@NullMarked
package io.fieldstone.engine.checksums;

import org.jspecify.annotations.NullMarked;
