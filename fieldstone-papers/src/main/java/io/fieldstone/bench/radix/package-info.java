/**
 * {@code bench radix}: sorting by every method, beside the tables of the radix sort paper (Lee, Lo,
 * Chen, Chung, Chung).
 *
 * <p>{@link io.fieldstone.bench.radix.RadixBenchmark} is the entry point. The tables, their
 * workload {@link io.fieldstone.bench.radix.SortLoad}, and the paper's figures are in this package.
 */
@NullMarked
package io.fieldstone.bench.radix;

import org.jspecify.annotations.NullMarked;
