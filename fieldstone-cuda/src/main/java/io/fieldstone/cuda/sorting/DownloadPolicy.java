package io.fieldstone.cuda.sorting;

/**
 * Chooses, per bucket, the download (raw or compressed) with the earlier estimated completion of
 * the whole sort. The bus and the decoding threads work concurrently.
 *
 * @param busBytesPerNs transfer rate of the bus
 * @param decoderBytesPerNs rate at which all threads together decode keys
 */
record DownloadPolicy(double busBytesPerNs, double decoderBytesPerNs) {

  /**
   * The work besides a bucket.
   *
   * @param busBytes enqueued for download and not arrived
   * @param decodingBytes of keys enqueued for download compressed and not decoded
   * @param laterBytes of keys that follow the bucket
   */
  record Load(long busBytes, long decodingBytes, long laterBytes) {}

  /**
   * Whether the sort completes no later if the bucket is compressed, assuming that all later
   * buckets are downloaded raw.
   *
   * @param rawBytes of the bucket
   * @param compressedBytes of the bucket
   */
  boolean shouldCompress(long rawBytes, long compressedBytes, Load load) {
    double threadsFree = load.decodingBytes() / decoderBytesPerNs;
    double arrived = (load.busBytes() + compressedBytes) / busBytesPerNs;
    double decoded = Math.max(threadsFree, arrived) + rawBytes / decoderBytesPerNs;
    double busDone = (load.busBytes() + compressedBytes + load.laterBytes()) / busBytesPerNs;
    double busDoneIfRaw = (load.busBytes() + rawBytes + load.laterBytes()) / busBytesPerNs;
    return Math.max(decoded, busDone) <= Math.max(threadsFree, busDoneIfRaw);
  }
}
