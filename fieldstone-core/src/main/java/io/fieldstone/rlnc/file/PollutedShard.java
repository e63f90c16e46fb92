package io.fieldstone.rlnc.file;

import java.nio.file.Path;

/**
 * A shard with payloads that do not belong to their coding vectors, although their checksums are
 * right: the decoded generation, which has the right hash, gives others.
 *
 * @param path the path of the file
 * @param generation the first such generation that was found
 * @param generations the number of such generations that were found
 */
public record PollutedShard(Path path, long generation, long generations) {}
