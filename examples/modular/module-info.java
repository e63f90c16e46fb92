module example.checksums {
  requires io.fieldstone.core;
}
