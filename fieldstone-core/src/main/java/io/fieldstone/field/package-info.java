/**
 * The mathematics: arithmetic in GF(2<sup>8</sup>), matrices over GF(2<sup>8</sup>) and GF(2), and
 * the generator that random elements of the field are drawn by.
 *
 * <p>Everything here is scalar, plain and obviously right: it is the truth against which the fast
 * engines are tested, and it sets up small things (coding matrices, product tables, parity checks).
 * Values only: every class is final, immutable and safe to share between threads. No input, no
 * output, no threads, no native memory, and no dependency on any other package of Fieldstone; a
 * loop that must be fast belongs behind a port in {@code io.fieldstone.engine}.
 */
@NullMarked
package io.fieldstone.field;

import org.jspecify.annotations.NullMarked;
