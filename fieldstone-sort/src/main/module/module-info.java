/** Radix sort of arrays, memory and files larger than memory. */
module io.fieldstone.sort {
  requires transitive io.fieldstone.stream;
  requires static org.jspecify;

  exports io.fieldstone.sort;
}
