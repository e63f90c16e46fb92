/**
 * {@code bench jwd}: joint weight distributions by every method, beside JWD's Table 1.
 *
 * <p>{@link io.fieldstone.bench.jwd.JwdBenchmark} is the entry point. The package has the tables,
 * the timing of methods that run for hours, and the paper's figures.
 */
@NullMarked
package io.fieldstone.bench.jwd;

import org.jspecify.annotations.NullMarked;
