/**
 * A UDP path that loses, delays, reorders, repeats and damages packets, in this process. Tests, the
 * demonstration and the benchmarks send through it. {@link
 * io.fieldstone.net.impairment.ImpairedLink} forwards, {@link
 * io.fieldstone.net.impairment.Impairment} says what one direction does. {@link
 * io.fieldstone.net.impairment.PollutingServer} is a peer that sends wrong blocks.
 */
@NullMarked
package io.fieldstone.net.impairment;

import org.jspecify.annotations.NullMarked;
