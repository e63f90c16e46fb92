/**
 * JMH benchmarks of the hot paths; {@code AllocationIT} tests that these do not allocate. They live
 * with the tests, so that the command does not carry JMH.
 */
@NullMarked
package io.fieldstone.bench.jmh;

import org.jspecify.annotations.NullMarked;
