/**
 * The port of division by polynomials over GF(2), which is what a CRC is: begin with {@link
 * io.fieldstone.engine.checksums.Checksums}.
 */
@NullMarked
package io.fieldstone.engine.checksums;

import org.jspecify.annotations.NullMarked;
