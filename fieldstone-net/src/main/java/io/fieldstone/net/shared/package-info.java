/**
 * Many receivers over one connection to each server: {@link io.fieldstone.net.shared.SharedCarrier}
 * gives each of them a channel that it takes for a connection of its own.
 */
@NullMarked
package io.fieldstone.net.shared;

import org.jspecify.annotations.NullMarked;
