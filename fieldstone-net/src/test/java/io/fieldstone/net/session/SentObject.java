package io.fieldstone.net.session;

import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.SourceObject;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An object that is only sent: a test that asks for its hashes fails. */
record SentObject(SourceObject source) implements OpenObject {
  @Override
  public ObjectManifest manifest() {
    return source.manifest();
  }

  @Override
  public List<Sha256> hashes() {
    return List.of();
  }

  @Override
  public CompletableFuture<List<Sha256>> leaves(int generation) {
    throw new AssertionError(generation);
  }

  @Override
  public ObjectSender sender(int alias) {
    return new ObjectSender(source, alias);
  }

  @Override
  public void close() {}
}
