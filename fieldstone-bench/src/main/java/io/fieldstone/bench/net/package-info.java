/**
 * {@code fieldstone bench net}: files over impaired links, beside what else moves files.
 *
 * <p>{@link io.fieldstone.bench.net.NetBenchmark} is the entry point. {@link
 * io.fieldstone.bench.net.VirtualNetwork} is the network that every program is measured on, with
 * {@link io.fieldstone.bench.net.TunRouter} in its middle. Protocols live elsewhere.
 */
@NullMarked
package io.fieldstone.bench.net;

import org.jspecify.annotations.NullMarked;
