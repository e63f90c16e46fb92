package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ObjectDescriptor;

/**
 * What some shards of one object hold together.
 *
 * @param descriptor the object
 * @param report what was found in each shard, and which were left out
 * @param ranks of all shards together
 * @param seconds it took
 */
public record InspectionResult(
    ObjectDescriptor descriptor, ShardReport report, RankSummary ranks, double seconds) {}
