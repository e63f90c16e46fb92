package io.fieldstone.rlnc.object;

/**
 * Keeps the verified generations of a relay and reads them again, for example in a file that is as
 * long as the object.
 */
public interface GenerationStore extends GenerationSource, GenerationSink {}
