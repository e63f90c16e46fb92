package example;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;

final class Checksums {

  private Checksums() {}

  // example begin
  static String checksum(byte[] message) {
    return Crc.of(CrcCatalogue.model("CRC-32C")).hash(message).toString();
  }
  // example end
}
