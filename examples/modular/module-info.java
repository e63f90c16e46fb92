module example.checksums {
  requires io.fieldstone.crc;
}
