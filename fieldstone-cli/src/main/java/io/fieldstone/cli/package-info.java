/**
 * The command: {@code Main} parses arguments, and a class for each subcommand calls the library and
 * prints results. Nothing here computes.
 */
@NullMarked
package io.fieldstone.cli;

import org.jspecify.annotations.NullMarked;
