/**
 * {@code bench hpds}: decoding of pipeline codes, beside the figures of HPDS. {@link
 * io.fieldstone.bench.hpds.HpdsBenchmark} is the entry point.
 */
@NullMarked
package io.fieldstone.bench.hpds;

import org.jspecify.annotations.NullMarked;
