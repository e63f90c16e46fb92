/**
 * The conformance suite for engines. It uses random shapes, odd sizes, unaligned offsets, empty
 * input and invalid arguments, and compares results with the definitions in {@code field}.
 *
 * <p>{@link io.fieldstone.conformance.Conformance} runs it on any engine, including those of third
 * parties. Each class checks one port; the suite does not depend on a particular engine.
 */
@NullMarked
package io.fieldstone.conformance;

import org.jspecify.annotations.NullMarked;
