/** The papers' tables, measured here, and the machine's own ceilings beside them. */
@NullMarked
package io.fieldstone.bench;

import org.jspecify.annotations.NullMarked;
