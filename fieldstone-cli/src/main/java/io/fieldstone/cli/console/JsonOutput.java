package io.fieldstone.cli.console;

import io.fieldstone.stream.file.Printable;
import java.util.Optional;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one object that a command prints with {@code --json}. A success is its result. A failure has
 * the fields {@code error} and {@code exit}, behind those of the result if there is one.
 */
public final class JsonOutput {

  private final Streams streams;
  private Optional<Object> result = Optional.empty();
  private boolean isWritten;

  public JsonOutput(Streams streams) {
    this.streams = streams;
  }

  /** Sets the result, which is printed when the exit status is known. */
  void set(Object newResult) {
    result = Optional.of(newResult);
  }

  /** Prints a result on one line at once, for a command that runs until it is stopped. */
  public void writeLine(Object line) {
    isWritten = true;
    streams.out().println(Printable.lines(JsonMapper.shared().writeValueAsString(line)));
  }

  /** Prints the result, if there is one that is not printed yet. */
  public void write() {
    if (result.isPresent() && !isWritten) {
      print(result.get());
    }
  }

  /** Prints a failure, unless the result is printed already. */
  public void fail(String error, int exit) {
    if (!isWritten) {
      JsonMapper mapper = JsonMapper.shared();
      ObjectNode object =
          result.isPresent() ? mapper.valueToTree(result.get()) : mapper.createObjectNode();
      print(object.put("error", error).put("exit", exit));
    }
  }

  private void print(Object object) {
    isWritten = true;
    JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    // JSON leaves DEL and other control characters as they are, which a terminal obeys.
    streams.out().println(Printable.lines(mapper.writeValueAsString(object)));
  }
}
