/**
 * Fetches an object from any number of servers and relays at once: {@link
 * io.fieldstone.net.fetch.Fetch}.
 */
@NullMarked
package io.fieldstone.net.fetch;

import org.jspecify.annotations.NullMarked;
