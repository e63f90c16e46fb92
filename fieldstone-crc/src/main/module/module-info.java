/** Any CRC of width 1 to 128, as fast as memory. */
module io.fieldstone.crc {
  requires transitive io.fieldstone.stream;
  requires static org.jspecify;

  exports io.fieldstone.crc;
  exports io.fieldstone.crc.design;
  exports io.fieldstone.crc.detection;
  exports io.fieldstone.crc.emit;
  exports io.fieldstone.crc.identification;
}
