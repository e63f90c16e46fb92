package io.fieldstone.rlnc.file;

import java.nio.file.Path;

/**
 * A file that was given as a shard and of which nothing was used.
 *
 * @param path of the file
 * @param reason why, in a few words
 */
public record LeftOutShard(Path path, String reason) {}
