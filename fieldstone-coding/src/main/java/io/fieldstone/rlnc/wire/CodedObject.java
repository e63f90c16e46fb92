package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.util.Objects;

/**
 * The object of which shards hold coded blocks, with the name that a shard gives it. The name is
 * not part of its identity.
 *
 * @param name the file name, without a directory
 * @param manifest the description, whose digest is the identity
 */
public record CodedObject(String name, ObjectManifest manifest) {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name is not that of a file ({@link Names#utf8})
   */
  public CodedObject {
    Objects.requireNonNull(manifest, "manifest");
    byte[] _ = Names.utf8(name);
  }

  /** Returns field, code, n of a full generation, k. */
  public GenerationShape shape() {
    return manifest.shape();
  }

  /** Returns L: the bytes that are coded, ≥ 0. */
  public long length() {
    return manifest.length();
  }

  /** Returns the identity in 64 hexadecimal digits. */
  public String idText() {
    return manifest.id().toString();
  }

  /** Returns the number of source blocks, ⌈L / k⌉. */
  public long sourceBlocks() {
    return manifest.sourceBlocks();
  }

  /** Returns the number of generations, ⌈L / (n·k)⌉; zero for an empty object. */
  public long generations() {
    return manifest.generations();
  }

  /** Returns the number of source blocks of a generation: n except for the last. */
  public int blocksOf(long generation) {
    Objects.checkIndex(generation, generations());
    return (int) Math.min(shape().blocks(), sourceBlocks() - generation * shape().blocks());
  }

  /** Returns the bytes of the object in a generation, without padding: n·k except for the last. */
  public long bytesOf(long generation) {
    Objects.checkIndex(generation, generations());
    return Math.min(shape().bytes(), length() - generation * shape().bytes());
  }
}
