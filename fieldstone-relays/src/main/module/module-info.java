/** Relays that connect a field of sensors: 3-stars, Steiner trees, plans. */
module io.fieldstone.relays {
  requires transitive io.fieldstone.stream;
  requires static org.jspecify;

  exports io.fieldstone.relays;
  exports io.fieldstone.relays.terrain;
}
