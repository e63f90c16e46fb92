/**
 * Hosts on which the programs of {@code fieldstone bench net} run.
 *
 * <p>{@link io.fieldstone.bench.net.hosts.VirtualNetwork} is the network that every program is
 * measured on, with {@link io.fieldstone.bench.net.hosts.TunRouter} in its middle; {@link
 * io.fieldstone.bench.net.hosts.Loopback} is this machine. {@code Tools} finds the programs, and
 * starts classes of the benchmark in JVMs of their own.
 */
@NullMarked
package io.fieldstone.bench.net.hosts;

import org.jspecify.annotations.NullMarked;
