/**
 * {@code bench 3-star}: the search for 3-stars by every method, beside Figs. 9 to 11 of the paper
 * (Lee, Lo, Chen, Chung, Chung); and plans of relays.
 *
 * <p>{@link io.fieldstone.bench.stars.StarBenchmark} is the entry point. The tables, the fields of
 * sensors and the paper's figures are in this package.
 */
@NullMarked
package io.fieldstone.bench.stars;

import org.jspecify.annotations.NullMarked;
