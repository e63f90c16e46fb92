package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.util.Objects;

/**
 * An object of version 2 with the name that a shard gives it, which is not part of its identity.
 *
 * @param name the file name, without a directory
 * @param manifest the description, whose digest is the identity
 */
public record NamedObject(String name, ObjectManifest manifest) implements CodedObject {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name is not a plain file name
   */
  public NamedObject {
    Objects.requireNonNull(manifest, "manifest");
    CodedObject.nameBytes(name);
  }

  @Override
  public GenerationShape shape() {
    return manifest.shape();
  }

  @Override
  public long length() {
    return manifest.length();
  }

  @Override
  public int version() {
    return 2;
  }

  @Override
  public String idText() {
    return manifest.id().toString();
  }
}
