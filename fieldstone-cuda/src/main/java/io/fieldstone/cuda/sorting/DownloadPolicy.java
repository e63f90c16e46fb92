package io.fieldstone.cuda.sorting;

/**
 * The two ways in which a bucket comes home: by the bus as it is, or packed, which the cores unpack
 * then. Both take time side by side; a bucket goes the way after which all is home sooner.
 *
 * @param busSpeed bytes that the bus carries in a nanosecond
 * @param coresSpeed bytes of keys that the cores unpack in one, all together
 */
record DownloadPolicy(double busSpeed, double coresSpeed) {

  /**
   * What is to be done beside a bucket.
   *
   * @param onBus bytes that have been sent and have not arrived
   * @param unpacking bytes of keys that have been sent packed and are not unpacked
   * @param after bytes of keys that have still to be sent
   */
  record Load(long onBus, long unpacking, long after) {}

  /**
   * Whether all is home sooner, or as soon, if the next bucket goes packed and whatever is after it
   * as it is.
   *
   * @param bytes of the bucket
   * @param packed bytes of it if it is packed
   */
  boolean shouldCompress(long bytes, long packed, Load load) {
    double coresFree = load.unpacking() / coresSpeed;
    double arrival = (load.onBus() + packed) / busSpeed;
    double unpacked = Math.max(coresFree, arrival) + bytes / coresSpeed;
    double busDone = (load.onBus() + packed + load.after()) / busSpeed;
    double busDoneIfPlain = (load.onBus() + bytes + load.after()) / busSpeed;
    return Math.max(unpacked, busDone) <= Math.max(coresFree, busDoneIfPlain);
  }
}
