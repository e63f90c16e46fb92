/**
 * The command line. {@code Main} parses arguments; a class for each subcommand calls the library
 * and prints the results. All computation is in the library.
 */
@NullMarked
package io.fieldstone.cli;

import org.jspecify.annotations.NullMarked;
