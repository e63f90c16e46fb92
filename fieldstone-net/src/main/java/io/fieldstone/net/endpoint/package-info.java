/**
 * What servers and relays have in common for applications: {@link
 * io.fieldstone.net.endpoint.Endpoint}, its settings, and what it offers.
 */
@NullMarked
package io.fieldstone.net.endpoint;

import org.jspecify.annotations.NullMarked;
