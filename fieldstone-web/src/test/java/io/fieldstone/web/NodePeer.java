package io.fieldstone.web;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A script in node, which takes and gives frames: a length (4), a kind (1) and a body. */
final class NodePeer implements AutoCloseable {

  /** A message of the script. */
  record Frame(char kind, byte[] body) {}

  private final Process process;
  private final DataOutputStream output;
  private final DataInputStream input;

  private NodePeer(Process process) {
    this.process = process;
    this.output = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    this.input = new DataInputStream(new BufferedInputStream(process.getInputStream()));
  }

  /** Returns a command that runs in this module; skips the test if there is no node. */
  static ProcessBuilder node(String... arguments) {
    for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
      Path program = Path.of(directory, "node");
      if (Files.isExecutable(program)) {
        ProcessBuilder command = new ProcessBuilder(program.toString());
        command.command().addAll(List.of(arguments));
        return command.redirectError(ProcessBuilder.Redirect.INHERIT);
      }
    }
    return abort("needs node in the PATH");
  }

  /** Starts a script of this module. */
  static NodePeer start(String script) throws IOException {
    return new NodePeer(node(script).start());
  }

  void send(char kind, byte[] body) throws IOException {
    output.writeInt(1 + body.length);
    output.write(kind);
    output.write(body);
  }

  /** Sends what waits, and waits for a message. */
  Frame receive() throws IOException {
    output.flush();
    byte[] frame = input.readNBytes(input.readInt());
    byte[] body = new byte[frame.length - 1];
    System.arraycopy(frame, 1, body, 0, body.length);
    return new Frame((char) frame[0], body);
  }

  @Override
  public void close() {
    process.destroy();
  }
}
