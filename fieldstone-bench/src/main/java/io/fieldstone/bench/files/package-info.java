/**
 * Benchmarks of files: coding by this process, and whole commands, against the file system. Begin
 * with {@link io.fieldstone.bench.files.FilesBenchmark}.
 */
@NullMarked
package io.fieldstone.bench.files;

import org.jspecify.annotations.NullMarked;
