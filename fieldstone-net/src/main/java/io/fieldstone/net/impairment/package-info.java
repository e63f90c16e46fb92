/**
 * A path that loses, delays, reorders, repeats and damages packets. Tests, the demonstration and
 * the benchmarks send through it. {@link io.fieldstone.net.impairment.ImpairedLink} forwards UDP in
 * this process, {@link io.fieldstone.net.impairment.Direction} is the model of one direction of any
 * link, and {@link io.fieldstone.net.impairment.Impairment} has its parameters. {@link
 * io.fieldstone.net.impairment.PollutingServer} is a peer that sends wrong blocks.
 */
@NullMarked
package io.fieldstone.net.impairment;

import org.jspecify.annotations.NullMarked;
