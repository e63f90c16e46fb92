/**
 * Objects of many generations without a transport: what a sender sends, what a receiver asks for,
 * and how a relay does both.
 *
 * <p>There is no clock, thread, socket or file here. The caller carries packets and reports between
 * an {@link io.fieldstone.rlnc.object.ObjectSender} and an {@link
 * io.fieldstone.rlnc.object.ObjectReceiver}, as datagrams that may be lost, repeated or reordered.
 * Read {@link io.fieldstone.rlnc.object.ObjectReceiver} first.
 */
@NullMarked
package io.fieldstone.rlnc.object;

import org.jspecify.annotations.NullMarked;
