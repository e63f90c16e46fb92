/**
 * Serves files: {@link io.fieldstone.net.server.Server} listens, and offers a catalogue of files to
 * any number of clients.
 */
@NullMarked
package io.fieldstone.net.server;

import org.jspecify.annotations.NullMarked;
