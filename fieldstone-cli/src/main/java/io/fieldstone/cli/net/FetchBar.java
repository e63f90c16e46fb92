package io.fieldstone.cli.net;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.net.fetch.FetchListener;
import io.fieldstone.net.fetch.FolderListener;
import java.util.Optional;

/** The progress bar of a fetch of one or of several files, shown once the length is known. */
final class FetchBar implements FetchListener, FolderListener, AutoCloseable {

  private final Session session;
  private Optional<Progress> bar = Optional.empty();
  private boolean isClosed;

  FetchBar(Session session) {
    this.session = session;
  }

  @Override
  public void progress(long doneBytes, long totalBytes, int sources) {
    show(doneBytes, totalBytes, sources == 1 ? "1 source" : sources + " sources");
  }

  @Override
  public void progress(int doneFiles, int totalFiles, long doneBytes, long totalBytes) {
    String files = ShardText.plural(totalFiles, "file");
    show(doneBytes, totalBytes, "%d of %s".formatted(doneFiles, files));
  }

  private synchronized void show(long doneBytes, long totalBytes, String note) {
    if (isClosed) {
      return;
    }
    if (bar.isEmpty()) {
      bar = Optional.of(session.progress("fetch", totalBytes));
    }
    bar.get().accept(doneBytes);
    bar.get().note(note);
  }

  /** Removes the bar before the result is printed. */
  synchronized void remove() {
    isClosed = true;
    bar.ifPresent(Progress::close);
    bar = Optional.empty();
  }

  @Override
  public void close() {
    remove();
  }
}
