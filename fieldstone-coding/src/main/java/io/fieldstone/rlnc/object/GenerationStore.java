package io.fieldstone.rlnc.object;

/**
 * Keeps the verified generations of a relay and reads them again, for example in a file that is as
 * long as the object.
 */
public interface GenerationStore extends GenerationSource, GenerationSink {

  /**
   * Returns how many generations are kept before the first ones are removed. A relay that fetches
   * on demand reads ahead of its receivers by half as many at most.
   */
  default int capacity() {
    return Integer.MAX_VALUE;
  }
}
