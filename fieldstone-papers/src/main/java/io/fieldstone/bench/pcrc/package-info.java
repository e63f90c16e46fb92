/**
 * {@code bench pcrc}: checksums by every method, beside the tables of PCRC (De Marchi, Capogrosso).
 *
 * <p>{@link io.fieldstone.bench.pcrc.PcrcBenchmark} is the entry point. The tables, their workload
 * {@link io.fieldstone.bench.pcrc.DivisionLoad}, and the paper's figures are in this package.
 */
@NullMarked
package io.fieldstone.bench.pcrc;

import org.jspecify.annotations.NullMarked;
