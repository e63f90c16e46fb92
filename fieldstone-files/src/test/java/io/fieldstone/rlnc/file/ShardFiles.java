package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** An object in shards that a test damages, and the results of commands on them. */
final class ShardFiles {

  private static final int CRC_AT = 60;
  private static final int BLOCK_HEADER = 64;

  private final Engine engine;
  private final Path directory;

  ShardFiles(Engine engine, Path directory) {
    this.engine = engine;
    this.directory = directory;
  }

  static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  /** Shards of {@code content}, n = 8, k = 40, in a folder of their own. */
  List<Path> encode(byte[] content, Code code, int shards, double redundancy) throws Exception {
    return encode(content, code, shards, redundancy, 3, "data");
  }

  List<Path> encode(
      byte[] content, Code code, int shards, double redundancy, long seed, String name)
      throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, 8, 40);
    Path folder = Files.createTempDirectory(directory, "shards");
    return new FileEncoder(engine, new EncodingParameters(shape, shards, redundancy, seed))
        .encode(new ByteArrayInputStream(content), name, folder, ProgressListener.NONE)
        .shards();
  }

  /** Cuts the hashes of the generations off, so that only the root can verify the object. */
  static void cutHashes(List<Path> shards) throws IOException {
    for (Path shard : shards) {
      try (FileChannel file = FileChannel.open(shard, StandardOpenOption.WRITE)) {
        file.truncate(ShardInspector.header(shard).hashesAt());
      }
    }
  }

  Path recode(List<Path> shards, int blocks, long seed) throws Exception {
    return recoded(shards, blocks, seed).shard();
  }

  RecodingResult recoded(List<Path> shards, int blocks, long seed) throws Exception {
    Path target = Files.createTempDirectory(directory, "recoded").resolve("shard.fst");
    return new ShardRecoder(engine).recode(shards, target, blocks, seed, ProgressListener.NONE);
  }

  InspectionResult inspect(List<Path> shards) throws Exception {
    return new ShardInspector(engine).inspect(shards, GenerationListener.NONE);
  }

  /** Decodes; the content is in the file of the result. */
  DecodingResult decode(List<Path> shards) throws Exception {
    Path target = Files.createTempDirectory(directory, "decoded").resolve("file");
    return new FileDecoder(engine).decode(shards, target, ProgressListener.NONE);
  }

  byte[] decoded(List<Path> shards) throws Exception {
    return Files.readAllBytes(decode(shards).file());
  }

  /** Bytes in a file of their own, of the same name as {@code like}. */
  Path write(Path like, byte[] bytes) throws IOException {
    Path folder = Files.createTempDirectory(directory, "written");
    return Files.write(folder.resolve(like.getFileName()), bytes);
  }

  /** Changes a byte of the payload of some record and makes its CRC right again. */
  static void pollute(byte[] shard, ShardHeader header, int record) {
    int bytes = header.recordBytes();
    ByteBuffer polluted = ByteBuffer.wrap(shard, header.byteSize() + record * bytes, bytes).slice();
    int at = bytes - 1 - record % 7;
    polluted.put(at, (byte) (polluted.get(at) ^ 0x31));
    CRC32C crc = new CRC32C();
    crc.update(polluted.slice(0, CRC_AT));
    crc.update(polluted.slice(BLOCK_HEADER, bytes - BLOCK_HEADER));
    polluted.putInt(CRC_AT, (int) crc.getValue());
  }

  /** A copy of a shard in which some records are polluted. */
  Path polluted(Path shard, int... records) throws Exception {
    byte[] bytes = Files.readAllBytes(shard);
    for (int record : records) {
      pollute(bytes, ShardInspector.header(shard), record);
    }
    return write(shard, bytes);
  }
}
