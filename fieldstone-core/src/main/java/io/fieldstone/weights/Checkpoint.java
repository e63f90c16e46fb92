package io.fieldstone.weights;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The state of a run in a file. It is written to a temporary file beside it, forced to the disk and
 * moved into place, so that whenever the process ends there is a whole checkpoint or none. It names
 * its run by a digest of code, method and amount of work, and ends with a digest of itself.
 */
final class Checkpoint {

  private static final String MAGIC = "fieldstone joint weights 1";
  private static final int DIGEST_BYTES = 32;

  private final Path file;
  private final BinaryCode code;
  private final String method;

  Checkpoint(Path file, BinaryCode code, String method) {
    this.file = file;
    this.code = code;
    this.method = method;
  }

  /** Replaces the file by the state of a run. */
  void save(JointRun run) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    data.writeUTF(MAGIC);
    data.write(name(run));
    data.writeLong(run.unitsDone());
    long[] state = run.state();
    data.writeInt(state.length);
    for (long number : state) {
      data.writeLong(number);
    }
    data.write(sha256().digest(bytes.toByteArray()));
    Path temporary = file.resolveSibling(file.getFileName() + ".part");
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Lets a run go on from the file, if there is one.
   *
   * @throws IOException if the file is damaged or of another run
   */
  void load(JointRun run) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    byte[] bytes = Files.readAllBytes(file);
    int body = bytes.length - DIGEST_BYTES;
    if (body < 0
        || !Arrays.equals(
            sha256().digest(Arrays.copyOf(bytes, body)),
            Arrays.copyOfRange(bytes, body, bytes.length))) {
      throw new IOException(file + " is no checkpoint, or a damaged one");
    }
    DataInputStream data = new DataInputStream(new ByteArrayInputStream(bytes, 0, body));
    if (!data.readUTF().equals(MAGIC) || !Arrays.equals(data.readNBytes(DIGEST_BYTES), name(run))) {
      throw new IOException(
          "%s is the checkpoint of another run, not of code %s by '%s'"
              .formatted(file, code, method));
    }
    long unitsDone = data.readLong();
    long[] state = new long[data.readInt()];
    for (int i = 0; i < state.length; i++) {
      state[i] = data.readLong();
    }
    run.restore(unitsDone, state);
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  /** What the state of one run has in common with no other's. */
  private byte[] name(JointRun run) {
    String name =
        "%s\n%s\n%d\n%d".formatted(method, code.generator(), run.units(), run.state().length);
    return sha256().digest(name.getBytes(StandardCharsets.UTF_8));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
