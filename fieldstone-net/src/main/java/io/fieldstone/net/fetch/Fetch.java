package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.dashboard.Incidents;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.rlnc.object.ReceiverMemory;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Fetches an object from any number of servers and relays at once, and verifies it.
 *
 * {@snippet :
 * FetchSettings settings =
 *     FetchSettings.of(
 *         "film.mkv", List.of(InetSocketAddress.createUnresolved("a.example", 4433)), state);
 * try (Engine engine = Engine.open("auto")) {
 *   FetchResult result = new Fetch(engine, settings, 2, FetchListener.NONE).toFile(output);
 * }
 * }
 *
 * <p>For one call of {@link #toFile} or {@link #toStream}. An interruption of the calling thread
 * ends it. The caller owns the engine.
 */
public final class Fetch {

  private final Engine engine;
  private final FetchSettings settings;
  private final int threads;
  private final FetchListener listener;
  private final Supplier<Services> services;

  /** The transfer while it runs. */
  private volatile Optional<Transfer> transfer = Optional.empty();

  /** What the dashboard shows while no transfer runs: nothing, and then the end of the last one. */
  private volatile Optional<Snapshot> still = Optional.empty();

  private volatile boolean isShown;

  /** A carrier that connects to servers, and threads that decode and hash. */
  private record Services(
      Carrier carrier,
      Peers peers,
      ExecutorService workers,
      boolean areOwned,
      Optional<ReceiverMemory> memory)
      implements AutoCloseable {

    static Services open(FetchSettings settings, QuicOptions transport, int threads) {
      return new Services(
          QuicCarrier.openClient(transport),
          new Peers(settings, false),
          Executors.newFixedThreadPool(
              threads, Thread.ofPlatform().daemon().name("fieldstone-verify-", 0).factory()),
          true,
          Optional.empty());
    }

    @Override
    public void close() {
      if (areOwned) {
        carrier.close();
        workers.close();
      }
    }
  }

  /**
   * Creates a fetch, which does nothing yet.
   *
   * @param engine decodes
   * @param threads the threads that decode and hash, at least 1
   * @param listener hears of the progress
   */
  public Fetch(Engine engine, FetchSettings settings, int threads, FetchListener listener) {
    this(engine, settings, threads, listener, QuicOptions.DEFAULT);
  }

  /**
   * Creates a fetch with options of the transport, such as its timeouts.
   *
   * @param engine decodes
   * @param threads the threads that decode and hash, at least 1
   * @param listener hears of the progress
   * @param transport how packets are sent and received
   */
  public Fetch(
      Engine engine,
      FetchSettings settings,
      int threads,
      FetchListener listener,
      QuicOptions transport) {
    this(engine, settings, threads, listener, () -> Services.open(settings, transport, threads));
  }

  /**
   * Creates a fetch that shares threads with others, for a process that runs many at once. The
   * caller closes the carrier and the workers after the fetch has returned.
   *
   * @param engine decodes
   * @param threads the number of workers, at least 1
   * @param listener hears of the progress
   * @param carrier connects to the servers
   * @param workers decode and hash
   */
  public Fetch(
      Engine engine,
      FetchSettings settings,
      int threads,
      FetchListener listener,
      Carrier carrier,
      ExecutorService workers) {
    this(
        engine,
        settings,
        threads,
        listener,
        () -> new Services(carrier, new Peers(settings, false), workers, false, Optional.empty()));
  }

  /** Creates a fetch that shares connections, and what is known of servers, with others. */
  Fetch(
      Engine engine,
      FetchSettings settings,
      int threads,
      FetchListener listener,
      Carrier carrier,
      Peers peers,
      ExecutorService workers,
      ReceiverMemory memory) {
    this(
        engine,
        settings,
        threads,
        listener,
        () -> new Services(carrier, peers, workers, false, Optional.of(memory)));
  }

  private Fetch(
      Engine engine,
      FetchSettings settings,
      int threads,
      FetchListener listener,
      Supplier<Services> services) {
    engine.requireOpen();
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
    this.engine = engine;
    this.settings = settings;
    this.threads = threads;
    this.listener = listener;
    this.services = services;
  }

  /**
   * Begins to show the dashboard over HTTP. The caller closes it.
   *
   * @param address where it answers; port 0 chooses one
   * @throws IOException as {@link StatusPages} does
   */
  public StatusPages openPages(InetSocketAddress address) throws IOException {
    isShown = true;
    Metrics metrics = new Metrics("fieldstone_fetch_", FetchStatus.GAUGES, this::status);
    return new StatusPages(
        ShelfServer.resolved(address), settings.token(), metrics, this::snapshot);
  }

  private FetchStatus status() {
    return transfer.map(Transfer::status).orElse(FetchStatus.NONE);
  }

  private Snapshot snapshot() {
    return transfer
        .map(Transfer::snapshot)
        .or(() -> still.map(Snapshot::again))
        .orElseGet(() ->
            Snapshot.of(
                settings.self(engine), List.of(), List.of(), Optional.empty(), new Incidents()));
  }

  /**
   * Fetches to a file, which appears or is replaced when all of it is verified. Until then the
   * bytes are in {@code .NAME.fst-part} beside it; the next call continues with those that are
   * right. A device, a FIFO or an open descriptor is written to as by {@link #toStream}.
   *
   * @throws FetchFailedException if the object cannot be had
   * @throws IOException if the file cannot be written
   */
  public FetchResult toFile(Path file)
      throws IOException, FetchFailedException, InterruptedException {
    return toFile(file, true);
  }

  /**
   * Fetches to a file as {@link #toFile} does, but replaces no other one: an equal file that is
   * there counts as fetched.
   *
   * @throws FileAlreadyExistsException if another file has the name
   * @throws FetchFailedException if the object cannot be had
   * @throws IOException if the file cannot be written
   */
  public FetchResult toNewFile(Path file)
      throws IOException, FetchFailedException, InterruptedException {
    return toFile(file, false);
  }

  private FetchResult toFile(Path file, boolean mayReplace)
      throws IOException, FetchFailedException, InterruptedException {
    Optional<OutputStream> device = Temporaries.openStream(file);
    if (device.isPresent()) {
      try (OutputStream stream = device.get()) {
        return toStream(stream, file.toString());
      }
    }
    try (PartFile destination = new PartFile(file, mayReplace)) {
      return to(destination);
    }
  }

  /**
   * Fetches to a stream: in order, each byte as soon as it is verified.
   *
   * @param stream flushed often, not closed; slow readers delay the fetch, not other threads
   * @param name the name of the stream in exceptions
   * @throws FetchFailedException if the object cannot be had; its beginning may have been written
   * @throws IOException if the stream cannot be written
   */
  public FetchResult toStream(OutputStream stream, String name)
      throws IOException, FetchFailedException, InterruptedException {
    AtomicReference<Runnable> onProgress = new AtomicReference<>(() -> {});
    try (OrderedOutput destination =
        new OrderedOutput(stream, name, settings.windowBytes(), () -> onProgress.get().run())) {
      return run(destination, onProgress);
    }
  }

  /** Fetches to a destination without an order, which the caller closes. */
  FetchResult to(Destination destination)
      throws IOException, FetchFailedException, InterruptedException {
    return run(destination, new AtomicReference<>(() -> {}));
  }

  private FetchResult run(Destination destination, AtomicReference<Runnable> onProgress)
      throws IOException, FetchFailedException, InterruptedException {
    try (Services used = services.get();
        Transfer running =
            new Transfer(
                new FetchContext(
                    engine,
                    used.carrier(),
                    used.peers(),
                    settings,
                    destination,
                    listener,
                    used.workers(),
                    threads,
                    used.memory()))) {
      transfer = Optional.of(running);
      onProgress.set(running::outputChanged);
      try {
        return running.run();
      } finally {
        if (isShown) {
          still = Optional.of(running.snapshot());
        }
        transfer = Optional.empty();
      }
    }
  }
}
