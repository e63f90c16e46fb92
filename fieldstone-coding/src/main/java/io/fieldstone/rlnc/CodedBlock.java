package io.fieldstone.rlnc;

import java.lang.foreign.MemorySegment;

/**
 * A coded block: a combination of the source blocks of a generation, with its coding vector.
 *
 * @param generation the number of the generation
 * @param vector the coding vector
 * @param payload k bytes; not copied
 */
public record CodedBlock(long generation, CodingVector vector, MemorySegment payload) {}
