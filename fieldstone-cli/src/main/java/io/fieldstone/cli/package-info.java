/** The command: parses arguments, calls the library, prints results. Nothing here computes. */
@NullMarked
package io.fieldstone.cli;

import org.jspecify.annotations.NullMarked;
