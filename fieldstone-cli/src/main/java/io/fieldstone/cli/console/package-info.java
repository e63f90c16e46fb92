/**
 * Console input and output of all subcommands. {@code Session} holds the common options; the other
 * classes check files, convert numbers, and print tables, progress and errors.
 */
@NullMarked
package io.fieldstone.cli.console;

import org.jspecify.annotations.NullMarked;
