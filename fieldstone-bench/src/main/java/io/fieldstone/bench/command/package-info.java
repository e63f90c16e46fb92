/**
 * The command {@code bench}, which {@code fieldstone} has if this module is on the class path.
 * {@link io.fieldstone.bench.command.BenchProvider} adds it.
 */
@NullMarked
package io.fieldstone.bench.command;

import org.jspecify.annotations.NullMarked;
