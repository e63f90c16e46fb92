/**
 * The folder of what a peer remembers: {@link io.fieldstone.net.state.StateFolder} makes it, and
 * {@link io.fieldstone.net.state.StateLines} changes its files of lines.
 */
@NullMarked
package io.fieldstone.net.state;

import org.jspecify.annotations.NullMarked;
