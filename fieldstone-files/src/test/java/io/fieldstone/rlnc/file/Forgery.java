package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.ProgressListener;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What an attacker without a key makes of encrypted shards: a consistent object of other bytes. */
final class Forgery {

  private Forgery() {}

  /** Changes the ciphertext of an object, and makes a shard with the same salt and a right tree. */
  static List<Path> reencode(
      Engine engine, Path directory, List<Path> shards, UnaryOperator<byte[]> change)
      throws Exception {
    CodedObject object = ShardInspector.header(shards.getFirst()).descriptor();
    byte[] forged = change.apply(ciphertext(engine, directory, shards, object));
    Path source = Files.write(directory.resolve("data"), forged);
    Path folder = Files.createTempDirectory(directory, "forged");
    EncodingResult plain =
        new FileEncoder(engine, new EncodingParameters(object.shape(), 1, 0, 1))
            .encode(source, folder, ProgressListener.NONE);
    byte[] shard = Files.readAllBytes(plain.shards().getFirst());
    ShardHeader header = ShardInspector.header(plain.shards().getFirst());
    ObjectManifest manifest = header.descriptor().manifest();
    ObjectManifest withSalt =
        new ObjectManifest(
            manifest.shape(), manifest.length(), object.manifest().encryption(), manifest.root());
    ShardHeader unplaced =
        new ShardHeader(new CodedObject("data", withSalt), header.recordId(), false, 0);
    int records = (int) header.hashesAt() - header.byteSize();
    ShardHeader placed =
        new ShardHeader(
            new CodedObject("data", withSalt),
            header.recordId(),
            false,
            unplaced.byteSize() + records);
    ByteBuffer bytes =
        ByteBuffer.allocate(placed.byteSize() + shard.length - header.byteSize())
            .put(placed.toBytes())
            .put(shard, header.byteSize(), shard.length - header.byteSize());
    return List.of(Files.write(folder.resolve("forged.fst"), bytes.array()));
  }

  /** The coded bytes of an object: those of a header that does not state its encryption. */
  private static byte[] ciphertext(
      Engine engine, Path directory, List<Path> shards, CodedObject object) throws Exception {
    ObjectManifest manifest = object.manifest();
    CodedObject open =
        new CodedObject(
            object.name(),
            new ObjectManifest(
                manifest.shape(), manifest.length(), Optional.empty(), manifest.root()));
    Path folder = Files.createTempDirectory(directory, "open");
    List<Path> opened = new ArrayList<>();
    for (Path shard : shards) {
      byte[] bytes = Files.readAllBytes(shard);
      ShardHeader header = ShardInspector.header(shard);
      ShardHeader other = new ShardHeader(open, header.recordId(), false, 0);
      ByteBuffer rest =
          ByteBuffer.allocate(other.byteSize() + bytes.length - header.byteSize())
              .put(other.toBytes())
              .put(bytes, header.byteSize(), bytes.length - header.byteSize());
      opened.add(Files.write(folder.resolve(shard.getFileName()), rest.array()));
    }
    Path target = folder.resolve("ciphertext");
    new FileDecoder(engine).decode(opened, target, ProgressListener.NONE);
    return Files.readAllBytes(target);
  }
}
