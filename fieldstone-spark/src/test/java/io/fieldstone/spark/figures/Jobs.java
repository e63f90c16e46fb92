package io.fieldstone.spark.figures;

import java.nio.file.Path;
import java.util.List;

/** A way to do jobs, each from the files of a folder to another folder. */
interface Jobs {

  /** Encodes each file, any 11 of 16; shard s to path s mod paths. */
  void encode(Path folder, List<Path> paths) throws Exception;

  /** Decodes shards; paths that do not exist are lost. */
  void decode(List<Path> paths, Path output) throws Exception;

  /** Computes the CRC-32 of each file. */
  void crc(Path folder) throws Exception;

  /** Sorts records of 100 bytes with keys of 10. */
  void sort(Path folder, Path output) throws Exception;

  /** Computes the joint weights of a code. */
  void weights(String code) throws Exception;
}
