/**
 * The protocol between two peers (docs/network.md, "Protocol"): {@link
 * io.fieldstone.net.session.Message} and its {@link io.fieldstone.net.session.MessageCodec}, and
 * the two ends of a connection, {@link io.fieldstone.net.session.ServerSession} and {@link
 * io.fieldstone.net.session.ClientSession}.
 *
 * <p>A session reacts to events of its connection, on the loop of the connection, and keeps bounded
 * state for its peer.
 */
@NullMarked
package io.fieldstone.net.session;

import org.jspecify.annotations.NullMarked;
