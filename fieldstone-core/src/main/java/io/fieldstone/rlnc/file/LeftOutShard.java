package io.fieldstone.rlnc.file;

import java.nio.file.Path;

/**
 * A file given as a shard that was not used.
 *
 * @param path the path of the file
 * @param reason the reason in a few words
 */
public record LeftOutShard(Path path, String reason) {}
