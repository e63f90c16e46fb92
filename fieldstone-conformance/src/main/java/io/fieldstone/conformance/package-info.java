/**
 * The suite that every engine must pass: random shapes, odd sizes, unaligned offsets, empty input
 * and misuse, each result compared with the definition computed by {@code field}.
 *
 * <p>{@link io.fieldstone.conformance.Conformance} runs it on an engine, a third party's too. A
 * class holds the checks of one port; nothing here names an engine.
 */
@NullMarked
package io.fieldstone.conformance;

import org.jspecify.annotations.NullMarked;
