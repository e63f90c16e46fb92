/**
 * The port of the network: endpoints, connections, datagrams and control messages.
 *
 * <p>A {@link io.fieldstone.net.carrier.Carrier} listens and connects. A {@link
 * io.fieldstone.net.carrier.Connection} sends datagrams, which may be lost, and control messages,
 * which are reliable and ordered. It passes what arrives to a {@link
 * io.fieldstone.net.carrier.ConnectionHandler}. All calls of one connection happen on one thread,
 * its loop. The package names no class of a network library; adapters are in packages below it.
 */
@NullMarked
package io.fieldstone.net.carrier;

import org.jspecify.annotations.NullMarked;
