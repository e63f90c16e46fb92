/**
 * The port that hashes many messages at once: start with {@link
 * io.fieldstone.engine.hashes.Hashing}.
 */
@NullMarked
package io.fieldstone.engine.hashes;

import org.jspecify.annotations.NullMarked;
