package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Fetches the files of folders, or several files, and lists what servers have. Many files are
 * fetched at once over the same connections, each as a {@link Fetch} does it; a file appears when
 * all of it is verified. An equal file that is there is not fetched again.
 *
 * {@snippet :
 * FetchSettings settings =
 *     FetchSettings.of("", List.of(InetSocketAddress.createUnresolved("a.example", 4433)), state);
 * try (Engine engine = Engine.open("auto")) {
 *   FolderFetch fetch = new FolderFetch(engine, settings, 2);
 *   FolderResult result =
 *       fetch.fetch(List.of("photos/"), Path.of("photos"), false, FolderListener.NONE);
 * }
 * }
 *
 * <p>For one thread at a time. An interruption of the calling thread ends a call; the next one
 * continues. The caller owns the engine.
 */
public final class FolderFetch {

  private static final Logger LOGGER = System.getLogger(FolderFetch.class.getName());

  private final Engine engine;
  private final FetchSettings settings;
  private final int threads;
  private final QuicOptions transport;

  /**
   * Refers to servers; nothing is sent yet.
   *
   * @param engine decodes
   * @param settings those of each file, whose query is not used; the memory and the rate are those
   *     of all together
   * @param threads the threads that decode and hash, at least 1
   */
  public FolderFetch(Engine engine, FetchSettings settings, int threads) {
    this(engine, settings, threads, QuicOptions.DEFAULT);
  }

  FolderFetch(Engine engine, FetchSettings settings, int threads, QuicOptions transport) {
    engine.requireOpen();
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
    this.engine = engine;
    this.settings = settings;
    this.threads = threads;
    this.transport = transport;
  }

  /**
   * Lists the files of all servers that answer, with a warning for each of the others, in the order
   * of their names. A name stands there several times if servers have different objects of it.
   *
   * @throws FetchFailedException if no server answers
   */
  public List<ListedObject> list() throws FetchFailedException, InterruptedException {
    try (Carrier carrier = QuicCarrier.openClient(transport)) {
      CatalogueQuery query = new CatalogueQuery(settings, carrier);
      List<ListedObject> listed = query.run();
      query.problems().forEach(each -> LOGGER.log(Level.WARNING, each));
      return listed;
    }
  }

  /**
   * Lists those files of all servers that names mean, as {@link #fetch} takes them.
   *
   * @param names names, ids and folders
   * @throws FetchFailedException if no server answers
   */
  public List<ListedObject> list(List<String> names)
      throws FetchFailedException, InterruptedException {
    List<ListedObject> all = list();
    return names.stream()
        .flatMap(name -> FolderPlan.matching(name, all).stream())
        .distinct()
        .toList();
  }

  /**
   * Fetches files into a folder. Those that cannot be fetched are in the result, and the others go
   * on. If the files of the servers change meanwhile, the result says so.
   *
   * @param names {@code photos/} means all files whose names begin so, which go below the folder
   *     without this beginning; {@code /} means all files; another name, or at least 8 digits of an
   *     id, means one file, which goes into the folder itself
   * @param folder is made if it is not there
   * @param mayReplace whether other files of the same names are replaced
   * @throws FetchFailedException if a name means no file, or no server can be used any more
   * @throws IOException if a file cannot be written
   */
  public FolderResult fetch(
      List<String> names, Path folder, boolean mayReplace, FolderListener listener)
      throws IOException, FetchFailedException, InterruptedException {
    try (QuicCarrier carrier = QuicCarrier.openClient(transport);
        ExecutorService workers =
            Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("fieldstone-verify-", 0).factory());
        FolderTransfer transfer =
            new FolderTransfer(engine, settings, threads, carrier, workers, listener)) {
      return transfer.run(names, folder, mayReplace);
    }
  }
}
