/**
 * The types that servers and relays share: {@link io.fieldstone.net.endpoint.Endpoint}, its
 * settings, and the options of its files.
 */
@NullMarked
package io.fieldstone.net.endpoint;

import org.jspecify.annotations.NullMarked;
