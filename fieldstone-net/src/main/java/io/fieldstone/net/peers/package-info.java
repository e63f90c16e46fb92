/**
 * What is known of other peers: {@link io.fieldstone.net.peers.ServerTrust} pins servers and bans
 * those that lie. A server may also need an {@link io.fieldstone.net.peers.AccessToken}.
 */
@NullMarked
package io.fieldstone.net.peers;

import org.jspecify.annotations.NullMarked;
