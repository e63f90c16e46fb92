/**
 * Live packets between peers: a sender with repairs by {@link io.fieldstone.rlnc.repair}, receivers
 * with deadlines, relays that recode, and tunnels (docs/live.md). {@link
 * io.fieldstone.net.live.LiveSender} and {@link io.fieldstone.net.live.LiveReceiver} have no clock,
 * thread or socket; read them first. {@link io.fieldstone.net.live.StreamServer} shows their use.
 */
@NullMarked
package io.fieldstone.net.live;

import org.jspecify.annotations.NullMarked;
