package io.fieldstone.cuda;

/**
 * Shares what comes down between a bus and the cores that unpack: as much comes packed as the cores
 * keep up with. What they cannot do crosses the bus as it is, meanwhile. For one thread.
 */
final class DownloadShare {

  private final Unpacker unpacker;
  private final double busRate;
  private final boolean isDirect;
  private double busSeconds;
  private double coreSeconds;

  /**
   * @param busRate bytes a second that cross the bus
   * @param isDirect whether the GPU writes where keys belong; if not, cores have to copy them, and
   *     may as well unpack
   */
  DownloadShare(Unpacker unpacker, double busRate, boolean isDirect) {
    this.unpacker = unpacker;
    this.busRate = busRate;
    this.isDirect = isDirect;
  }

  /** Whether keys of so many bytes come down packed, and counts them as such if they do. */
  boolean unpacks(long bytes, long packedBytes) {
    double packedSeconds = packedBytes / busRate;
    boolean unpacks = !isDirect || coreSeconds <= busSeconds + packedSeconds;
    busSeconds += unpacks ? packedSeconds : bytes / busRate;
    coreSeconds += unpacks ? bytes / unpacker.bytesPerSecond() : 0;
    return unpacks;
  }
}
