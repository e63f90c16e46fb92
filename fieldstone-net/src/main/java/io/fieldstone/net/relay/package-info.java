/**
 * Relays the objects of other servers and relays: {@link io.fieldstone.net.relay.Relay} fetches the
 * generations that its clients ask for, verifies them, keeps them on the disk, and serves them.
 */
@NullMarked
package io.fieldstone.net.relay;

import org.jspecify.annotations.NullMarked;
