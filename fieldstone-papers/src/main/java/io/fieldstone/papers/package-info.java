/**
 * What only repeats papers: docs/papers.md is the map. {@link io.fieldstone.papers.PaperBenchmarks}
 * lists their benchmarks. The subpackages have engines, methods and kernels. All is found through
 * {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.fieldstone.papers;

import org.jspecify.annotations.NullMarked;
