/**
 * Finds the generator polynomials of a width that detect the most errors at a length, by an
 * examination of all. Begin with {@link io.fieldstone.crc.design.PolynomialSearch}.
 */
@NullMarked
package io.fieldstone.crc.design;

import org.jspecify.annotations.NullMarked;
