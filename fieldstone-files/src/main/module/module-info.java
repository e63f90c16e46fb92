/** Files as coded shards, and parity beside files. */
module io.fieldstone.files {
  requires transitive io.fieldstone.coding;
  requires static org.jspecify;

  exports io.fieldstone.rlnc.backup;
  exports io.fieldstone.rlnc.file;
}
