/** Checks that an engine computes what the scalar one does. */
module io.fieldstone.conformance {
  requires transitive io.fieldstone.engine;
  requires static org.jspecify;

  exports io.fieldstone.conformance;
}
