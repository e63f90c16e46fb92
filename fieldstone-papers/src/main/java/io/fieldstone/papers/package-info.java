/**
 * What repeats papers: docs/papers.md is the map. {@link io.fieldstone.papers.PaperBenchmarks}
 * lists their benchmarks, which {@code fieldstone bench} finds through {@link
 * java.util.ServiceLoader}.
 */
@NullMarked
package io.fieldstone.papers;

import org.jspecify.annotations.NullMarked;
