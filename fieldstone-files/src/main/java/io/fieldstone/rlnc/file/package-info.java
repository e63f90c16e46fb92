/**
 * Encodes files into shards, recodes shards, and decodes them, as streams in bounded memory.
 *
 * <p>The operations are {@link io.fieldstone.rlnc.file.FileEncoder}, {@link
 * io.fieldstone.rlnc.file.ShardRecoder}, {@link io.fieldstone.rlnc.file.FileDecoder} and {@link
 * io.fieldstone.rlnc.file.ShardInspector}. Each processes a file in batches of generations and
 * overlaps reading, computing and writing. The size of its native buffers depends on the shape, not
 * on the file. Outputs appear under their names only when they are complete.
 */
@NullMarked
package io.fieldstone.rlnc.file;

import org.jspecify.annotations.NullMarked;
