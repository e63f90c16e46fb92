/**
 * The adapter of the port to QUIC (RFC 9000) with datagrams (RFC 9221), by Netty and quiche. Begin
 * with {@link io.fieldstone.net.carrier.quic.QuicCarrier}.
 *
 * <p>A connection has one bidirectional stream, which the client opens, for control messages; all
 * else are datagrams. Netty's codec has traps, which this package hides: it drops datagrams without
 * a word when its queue is full ({@code DatagramBacklog} bounds it), it announces the size of
 * datagrams once ({@code QuicConnection} follows the path), and tasks that write without end leave
 * no time for acknowledgements (a turn of the loop accepts a bounded number).
 */
@NullMarked
package io.fieldstone.net.carrier.quic;

import org.jspecify.annotations.NullMarked;
