/**
 * {@code fieldstone bench net}: files over impaired links, by Fieldstone and by other programs.
 *
 * <p>{@link io.fieldstone.bench.net.NetBenchmark} is the entry point. The programs run on the hosts
 * of {@link io.fieldstone.bench.net.hosts}. This package has no protocol of its own.
 */
@NullMarked
package io.fieldstone.bench.net;

import org.jspecify.annotations.NullMarked;
