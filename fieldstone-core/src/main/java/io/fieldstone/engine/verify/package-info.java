/**
 * The conformance suite that every engine must pass: random shapes, odd sizes, unaligned offsets,
 * empty input and concurrent use, against arithmetic done one symbol at a time.
 */
@NullMarked
package io.fieldstone.engine.verify;

import org.jspecify.annotations.NullMarked;
