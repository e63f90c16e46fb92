package io.fieldstone.crc.design;

import io.fieldstone.stream.file.FileErrors;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of a search's state, which is complete or absent after any end of the process. */
final class SearchCheckpoint {

  private final Path file;

  SearchCheckpoint(Path file) {
    this.file = file;
  }

  /**
   * Returns the state in the file, or that before the search if there is no file.
   *
   * @throws IOException if the file cannot be read, is damaged, or is one of another search
   */
  SearchState restore(SearchGoal goal) throws IOException {
    if (!Files.exists(file)) {
      return SearchState.start(goal);
    }
    String text =
        new String(
            FileErrors.naming(file, () -> Files.readAllBytes(file)), StandardCharsets.ISO_8859_1);
    SearchState state;
    try {
      state = SearchState.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage() + ": " + file, e);
    }
    if (!state.goal().equals(goal)) {
      SearchGoal other = state.goal();
      throw new IOException(
          "a checkpoint of width %d, length %d and %s: %s"
              .formatted(
                  other.width(),
                  other.messageBits(),
                  other.distance().isPresent()
                      ? "HD " + other.distance().getAsInt()
                      : "the best HD",
                  file));
    }
    return state;
  }

  /** Replaces the file, also on an interrupted thread. */
  void save(SearchState state) throws IOException {
    boolean isInterrupted = Thread.interrupted(); // else the write would fail
    try (Temporaries temporaries = new Temporaries()) {
      OpenFile open = temporaries.create(file);
      byte[] bytes = state.text().getBytes(StandardCharsets.US_ASCII);
      open.append(new ByteBuffer[] {ByteBuffer.wrap(bytes)});
      temporaries.commit();
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
