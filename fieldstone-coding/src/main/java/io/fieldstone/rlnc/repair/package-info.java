/**
 * Decides how many repairs a live sender sends, and when.
 *
 * <p>A {@link io.fieldstone.rlnc.repair.RepairPolicy} combines repairs in advance, which need no
 * answer, with repairs that a receiver asked for, where the deadline leaves a round trip. A {@link
 * io.fieldstone.rlnc.repair.LossCounter} at the receiver tells packets that are late from those
 * that are lost. A {@link io.fieldstone.rlnc.repair.ReceiverReport} carries its counts to the
 * sender.
 *
 * <p>No class has a clock, a thread or a socket: time is a parameter, in nanoseconds of any origin
 * that do not go backwards. All classes are for one thread.
 *
 * <p>As RFC 9265 asks, loss counts what the path lost, recovered or not, and loss that a full queue
 * explains raises no redundancy. Repairs are to be paced with the sources, by the same rate.
 */
@NullMarked
package io.fieldstone.rlnc.repair;

import org.jspecify.annotations.NullMarked;
