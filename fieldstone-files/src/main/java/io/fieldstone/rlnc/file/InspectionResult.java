package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.CodedObject;

/**
 * The combined contents of some shards of one object.
 *
 * @param descriptor the object
 * @param report the contents of each shard, and the shards that were left out
 * @param ranks the ranks over all shards
 * @param seconds the duration
 */
public record InspectionResult(
    CodedObject descriptor, ShardReport report, RankSummary ranks, double seconds) {}
