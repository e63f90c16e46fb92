/** Pipelines over files, and output files that are complete or absent. */
module io.fieldstone.stream {
  requires transitive io.fieldstone.engine;
  requires static org.jspecify;

  exports io.fieldstone.stream;
  exports io.fieldstone.stream.file;
}
