package io.fieldstone.rlnc;

import java.lang.foreign.MemorySegment;

/**
 * One coded block: a combination of the source blocks of a generation, and which.
 *
 * @param generation number of the generation it belongs to
 * @param vector its coding vector
 * @param payload k bytes; not copied
 */
public record CodedBlock(long generation, CodingVector vector, MemorySegment payload) {}
