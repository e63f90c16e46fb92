/**
 * JMH benchmarks of the hot paths, for whoever works on one; {@code AllocationIT} holds them to
 * allocating nothing. They live with the tests so that the command does not carry JMH.
 */
@NullMarked
package io.fieldstone.bench.jmh;

import org.jspecify.annotations.NullMarked;
