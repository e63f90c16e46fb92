/**
 * The protocol between two peers (docs/network.md, "Protocol"): {@link
 * io.fieldstone.net.session.Message} and its {@link io.fieldstone.net.session.MessageCodec}, and
 * the two ends of a connection, {@link io.fieldstone.net.session.ServerSession} and {@link
 * io.fieldstone.net.session.ClientSession}.
 *
 * <p>{@code ServerSession} passes what arrives to its parts: {@code Greeting}, {@code
 * RequestAnswers}, {@code CataloguePages}, {@code HashAnswers}, {@code OutgoingObjects} and {@code
 * PacketPump}. {@code ClientConnection} owns the connection and closes it.
 *
 * <p>A session reacts to events of its connection, on the loop of the connection, and keeps bounded
 * state for its peer.
 */
@NullMarked
package io.fieldstone.net.session;

import org.jspecify.annotations.NullMarked;
