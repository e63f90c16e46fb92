/**
 * How fast a sender of datagrams sends.
 *
 * <p>A {@link io.fieldstone.net.pacing.RateController} computes a rate from what the receiver
 * reports; a {@link io.fieldstone.net.pacing.Pacer} spaces packets by it. {@link
 * io.fieldstone.net.pacing.FieldstoneController} tells random loss from congestion, {@link
 * io.fieldstone.net.pacing.CubicController} takes every loss for congestion. {@link
 * io.fieldstone.net.pacing.SentTimes} turns reports into rates and round-trip times.
 *
 * <p>No class has a clock, a thread or a socket: time is a parameter, in nanoseconds of any origin
 * that do not go backwards. All classes are for one thread.
 *
 * <p>As RFC 9265 asks, repair packets count in the rate like all others, and a packet that a code
 * recovers still counts as lost.
 */
@NullMarked
package io.fieldstone.net.pacing;

import org.jspecify.annotations.NullMarked;
