/**
 * Offers what servers and relays have: {@link io.fieldstone.net.shelf.ShelfServer} makes a session
 * for each client, and sends it generations of the shelf of its loop.
 */
@NullMarked
package io.fieldstone.net.shelf;

import org.jspecify.annotations.NullMarked;
