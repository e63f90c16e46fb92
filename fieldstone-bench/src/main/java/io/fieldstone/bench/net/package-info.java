/**
 * {@code fieldstone bench net}: files over impaired links, by Fieldstone and by other programs.
 *
 * <p>{@link io.fieldstone.bench.net.NetBenchmark} is the entry point. {@link
 * io.fieldstone.bench.net.VirtualNetwork} is the network that every program is measured on, with
 * {@link io.fieldstone.bench.net.TunRouter} in its middle. This package has no protocol of its own.
 */
@NullMarked
package io.fieldstone.bench.net;

import org.jspecify.annotations.NullMarked;
