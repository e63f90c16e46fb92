/**
 * Workloads of network coding: products, encoding and decoding, on the cores and on a GPU.
 *
 * <p>{@link io.fieldstone.bench.coding.BatchLoad} and {@link io.fieldstone.bench.coding.DecodeLoad}
 * are the entries. A workload makes candidates and checks each result before it is measured; tables
 * live in the rooms of their papers.
 */
@NullMarked
package io.fieldstone.bench.coding;

import org.jspecify.annotations.NullMarked;
