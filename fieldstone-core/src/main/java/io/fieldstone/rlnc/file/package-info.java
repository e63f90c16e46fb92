/**
 * Files to shards, shards to shards, shards to files: streaming, in bounded memory.
 *
 * <p>The verbs are {@link io.fieldstone.rlnc.file.FileEncoder}, {@link
 * io.fieldstone.rlnc.file.ShardRecoder}, {@link io.fieldstone.rlnc.file.FileDecoder} and {@link
 * io.fieldstone.rlnc.file.ShardInspector}. Each works through a file in batches of generations,
 * with buffers outside the heap whose size depends on the shape and not on the file, and overlaps
 * reading, computing and writing. What is written appears under its name only when it is whole.
 */
@NullMarked
package io.fieldstone.rlnc.file;

import org.jspecify.annotations.NullMarked;
