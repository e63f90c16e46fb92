/**
 * Workloads of network coding: products, encoding and decoding, on the cores and on a GPU.
 *
 * <p>{@link io.fieldstone.bench.coding.BatchLoad} and {@link io.fieldstone.bench.coding.DecodeLoad}
 * are the entry points. A workload makes candidates and checks each result before it is measured.
 * Tables are in the packages of their papers.
 */
@NullMarked
package io.fieldstone.bench.coding;

import org.jspecify.annotations.NullMarked;
