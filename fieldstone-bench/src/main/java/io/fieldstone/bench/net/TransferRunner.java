package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.WorkFolder;
import io.fieldstone.bench.net.hosts.Hosts;
import io.fieldstone.bench.net.hosts.Loopback;
import io.fieldstone.bench.net.hosts.RouterEnd;
import io.fieldstone.bench.net.hosts.Tools;
import io.fieldstone.bench.net.hosts.VirtualNetwork;
import io.fieldstone.bench.report.Table;
import io.fieldstone.net.fetch.FetchResult;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Moves one file by many programs, each time over a new network. For one thread. */
final class TransferRunner implements AutoCloseable {

  /** Rate and one-way delay of the link that most tables use. */
  static final double LINK_MEGABITS = 50;

  static final long DELAY_NANOS = 10_000_000;

  /** Twice the product of the rate and the round-trip time, and a third of it. */
  static final int LARGE_QUEUE_BYTES = 250_000;

  static final int SMALL_QUEUE_BYTES = 40_000;

  private static final double BYTES_PER_MEGABIT = 1e6 / 8;

  private static final int FILE_BYTES = 40_000_000;

  /** The times for a file of {@link #FILE_BYTES}. */
  private static final double LIMIT_SECONDS = 20;

  private static final double QUICK_LIMIT_SECONDS = 12;

  /** The file of programs that share a link, long enough that no transfer ends in the window. */
  private static final int LONG_FILE_BYTES = 160_000_000;

  /** The file on the loopback interface, and the one of the rounds before it. */
  private static final int LOOPBACK_FILE_BYTES = 400_000_000;

  /** The time in which the compilers of programs on the loopback interface should come to rest. */
  private static final double WARM_UP_SECONDS = 60;

  private static final double QUICK_WARM_UP_SECONDS = 30;

  /** A rate that the loopback interface never limits. */
  private static final double LOOPBACK_MEGABITS = 100_000;

  /** The file of a crowd: 20 s at 768 kbit/s. */
  private static final int CROWD_BYTES = 1_920_000;

  private static final int WARM_UP_BYTES = 4_000_000;
  private static final double SHARING_SECONDS = 60;

  /** The bytes that each program has received when the window of {@link #sharedBytes} begins. */
  private static final long SETTLED_BYTES = 4_000_000;

  private static final long POLL_MILLIS = 50;
  private static final int CHUNK_BYTES = 1 << 20;

  /** The transfer of the median duration, and the counters of the links at its end. */
  record Sample(Transfer transfer, VirtualNetwork.Counters counters) {}

  private final Pace pace;
  private final long fileBytes;
  private final WorkFolder folder;
  private final Path file;
  private final Path longFile;
  private final Path warmUpFile;
  private final List<String> failures = new ArrayList<>();
  private int transfers;

  /**
   * Writes the files.
   *
   * @param fileBytes the length of the file that most tables move; its usual length if empty
   */
  TransferRunner(Pace pace, OptionalLong fileBytes) throws IOException {
    this.pace = pace;
    this.fileBytes = fileBytes.orElse(FILE_BYTES / pace.shrink());
    this.folder = WorkFolder.temporary();
    this.file = folder.path().resolve("file");
    this.longFile = folder.path().resolve("long");
    this.warmUpFile = folder.path().resolve("warm-up");
    try {
      writeRandom(warmUpFile, warmUpBytes());
      writeRandom(file, this.fileBytes);
      writeRandom(longFile, LONG_FILE_BYTES / pace.shrink());
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  /** Returns the length of the file that most tables move. */
  long fileBytes() {
    return fileBytes;
  }

  /** Returns the length of the file that programs in Java move first. */
  int warmUpBytes() {
    return WARM_UP_BYTES / pace.shrink();
  }

  /** Returns the time after which a transfer is stopped, longer for a longer file. */
  double limitSeconds() {
    return usualLimitSeconds() * Math.max(1, (double) fileBytes / FILE_BYTES);
  }

  private double usualLimitSeconds() {
    return pace.allShapes() ? LIMIT_SECONDS : QUICK_LIMIT_SECONDS;
  }

  /** Returns the number of transfers of which the median is taken. */
  int samples() {
    return pace.allShapes() ? pace.minSamples() : 1;
  }

  /** Returns the path of the file to move. */
  Path file() {
    return file;
  }

  /** Returns the path of the small file that programs in Java move first. */
  Path warmUpFile() {
    return warmUpFile;
  }

  /** Returns the link in the direction of the data, with independent losses. */
  static Impairment link(int queueBytes, double loss) {
    return lossless(LINK_MEGABITS, queueBytes).withLoss(Loss.random(loss));
  }

  /** Returns a link of a rate without random loss. */
  static Impairment lossless(double megabitsPerSecond, int queueBytes) {
    return Impairment.NONE
        .withRate(megabitsPerSecond * BYTES_PER_MEGABIT, queueBytes)
        .withDelay(DELAY_NANOS, 0);
  }

  /** Returns the direction of the acknowledgements, which loses nothing. */
  static Impairment back() {
    return lossless(LINK_MEGABITS, 1 << 20);
  }

  /** Moves the file over one link to one receiver, and records the result. */
  Sample measure(Run run, FilePeer peer, String title, Impairment link) {
    List<RouterEnd> ends =
        List.of(new RouterEnd(link, back(), peer.congestionControl()), RouterEnd.unlimited());
    return measure(run, peer, title, ends, 1);
  }

  /** Moves the file from some ends to all ends after them, and records the result. */
  Sample measure(Run run, FilePeer peer, String title, List<RouterEnd> ends, int senders) {
    return measure(run, peer, title, ends, senders, () -> FilePeer.Events.NONE);
  }

  /** Moves the file, and reports the events of each transfer to a new observer. */
  Sample measure(
      Run run,
      FilePeer peer,
      String title,
      List<RouterEnd> ends,
      int senders,
      Supplier<FilePeer.Events> events) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < samples(); i++) {
      samples.add(sample(peer, ends, senders, events));
    }
    samples.sort(Comparator.comparingDouble(one -> one.transfer().megabitsPerSecond()));
    Sample median = samples.get(samples.size() / 2);
    if (median.transfer().bytes() > 0) {
      double bytes = median.transfer().bytes();
      run.record(title + ": " + peer.name(), bytes, median.transfer().seconds());
    }
    return median;
  }

  private Sample sample(
      FilePeer peer, List<RouterEnd> ends, int senders, Supplier<FilePeer.Events> events) {
    // The folder is deleted after the network, whose processes write into it.
    try (WorkFolder work = nextFolder();
        VirtualNetwork network = VirtualNetwork.open(transfers, ends)) {
      FilePeer.Events observer = events.get();
      FilePeer.Job job =
          job(
              work.path(),
              IntStream.range(0, senders).boxed().toList(),
              IntStream.range(senders, ends.size()).boxed().toList(),
              observer);
      Transfer transfer = transfer(peer, network, job);
      observer.end();
      return new Sample(transfer, network.counters());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Moves a file; a program that fails has moved nothing, and the report says why. */
  private Transfer transfer(FilePeer peer, Hosts hosts, FilePeer.Job job)
      throws InterruptedException {
    try {
      return peer.transfer(hosts, job);
    } catch (IOException e) {
      addFailure(peer.name(), e, hosts.isClosed());
      return new Transfer(0, job.limitSeconds());
    }
  }

  /**
   * Notes that a transfer failed.
   *
   * @param isClosed whether its hosts were closed, which this thread does not do before it has
   *     ended
   * @throws CancellationException if the benchmark is being stopped, which is no failure
   */
  private void addFailure(String name, Throwable e, boolean isClosed) {
    if (isClosed || Thread.currentThread().isInterrupted()) {
      throw new CancellationException("stopped");
    }
    failures.add(name + ": " + e.getMessage());
  }

  private static CancellationException interrupted() {
    Thread.currentThread().interrupt();
    return new CancellationException("interrupted");
  }

  /** Adds a note to a table for each transfer that failed since the last call. */
  void noteFailures(Table.Builder table) {
    failures.forEach(failure -> table.note("Failed: " + failure));
    failures.clear();
  }

  private FilePeer.Job job(
      Path work, List<Integer> senders, List<Integer> receivers, FilePeer.Events events) {
    return new FilePeer.Job(
        file, warmUpFile, work, senders, receivers, LINK_MEGABITS, limitSeconds(), 0, events);
  }

  /** Moves a long file from one process to another on the loopback interface, after another. */
  Transfer measureOnLoopback(Run run, FilePeer peer, FilePeer.Events observer) {
    try (WorkFolder work = nextFolder();
        Hosts hosts = new Loopback()) {
      Path loopbackFile = work.path().resolve("file");
      Path warmUp = work.path().resolve("warm-up");
      writeRandom(loopbackFile, LOOPBACK_FILE_BYTES / pace.shrink());
      writeRandom(warmUp, LOOPBACK_FILE_BYTES / pace.shrink());
      Transfer transfer =
          transfer(
              peer,
              hosts,
              new FilePeer.Job(
                  loopbackFile,
                  warmUp,
                  work.path(),
                  List.of(0),
                  List.of(1),
                  LOOPBACK_MEGABITS,
                  SHARING_SECONDS,
                  pace.allShapes() ? WARM_UP_SECONDS : QUICK_WARM_UP_SECONDS,
                  observer));
      observer.end();
      double bytes = transfer.bytes();
      if (bytes > 0) {
        run.record("loopback: " + peer.name(), bytes, transfer.seconds());
      }
      return transfer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Moves a file over a mesh. */
  @FunctionalInterface
  interface MeshTransfer {

    /** Builds a network in an empty mesh, and returns the results of its receivers. */
    List<FetchResult> run(Mesh mesh) throws Exception;
  }

  /**
   * Moves a file over a mesh in this process; the report says why if that fails.
   *
   * @param name of the transfer
   * @param link the impairment of the packets of a sender, on each link
   * @return the results of the receivers; empty if one failed
   */
  List<FetchResult> onMesh(String name, Impairment link, MeshTransfer transfer) {
    try (WorkFolder work = nextFolder();
        Mesh mesh = new Mesh(work.path(), List.of(file, warmUpFile), link, back())) {
      return transfer.run(mesh);
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (Exception e) {
      addFailure(name, e, false);
      return List.of();
    }
  }

  /** Returns the length of the file that each receiver of a crowd fetches. */
  long crowdBytes() {
    return CROWD_BYTES / pace.shrink();
  }

  /**
   * Serves a file to many receivers on the loopback interface, at a rate. Empty if that fails; the
   * report says why.
   */
  Optional<CrowdSection.Crowd> crowd(
      int receivers, long bytesPerSecond, CpuMeter servers, CpuMeter clients) {
    try (WorkFolder work = nextFolder();
        Hosts hosts = new Loopback()) {
      try {
        return Optional.of(crowd(hosts, work.path(), receivers, bytesPerSecond, servers, clients));
      } catch (IOException e) {
        addFailure("%d receivers".formatted(receivers), e, hosts.isClosed());
        return Optional.empty();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CrowdSection.Crowd crowd(
      Hosts hosts,
      Path work,
      int receivers,
      long bytesPerSecond,
      CpuMeter servers,
      CpuMeter clients)
      throws IOException {
    Path video = work.resolve("video");
    writeRandom(video, crowdBytes());
    Process server = new Fieldstone(false).startServer(hosts, 0, work, List.of(video));
    Output.drain(server);
    servers.serverStarted(0, server);
    Process client =
        hosts.start(
            1,
            Tools.java(
                FieldstoneCrowd.class,
                "video",
                work.resolve("clients").toString(),
                hosts.address(0),
                Integer.toString(Fieldstone.PORT),
                Integer.toString(receivers),
                Long.toString(bytesPerSecond)));
    clients.serverStarted(1, client);
    Output.await(client, "ready");
    servers.begin();
    clients.begin();
    CrowdSection.Crowd crowd = CrowdSection.Crowd.parse(Output.await(client, "crowd "));
    servers.end();
    clients.end();
    return crowd;
  }

  /**
   * Runs two programs at once over one link, and returns the bytes that each received in a window
   * after both had begun. Bytes count IP headers. Empty if a program fails; the report says why.
   */
  Optional<List<Long>> sharedBytes(FilePeer one, FilePeer other, int queueBytes) {
    RouterEnd sender = new RouterEnd(link(queueBytes, 0), back(), one.congestionControl());
    List<RouterEnd> ends =
        List.of(
            sender,
            sender.behind(0, other.congestionControl()),
            RouterEnd.unlimited(),
            RouterEnd.unlimited());
    // The network is closed first, which ends the programs; they may write until then.
    try (WorkFolder work = nextFolder();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        VirtualNetwork network = VirtualNetwork.open(transfers, ends)) {
      FilePeer.Job oneJob = longJob(Files.createDirectory(work.path().resolve("one")), 0, 2);
      FilePeer.Job otherJob = longJob(Files.createDirectory(work.path().resolve("other")), 1, 3);
      Future<Transfer> oneEnd = threads.submit(() -> one.transfer(network, oneJob));
      Future<Transfer> otherEnd = threads.submit(() -> other.transfer(network, otherJob));
      long settled = SETTLED_BYTES / pace.shrink();
      long end = System.nanoTime() + Math.round(limitSeconds() * 1e9);
      List<LinkCounts> before = network.counters().down();
      while (System.nanoTime() < end
          && (before.get(2).forwardedBytes() < settled
              || before.get(3).forwardedBytes() < settled)) {
        if (hasFailed(one, oneEnd, network) || hasFailed(other, otherEnd, network)) {
          return Optional.empty();
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        before = network.counters().down();
      }
      TimeUnit.MILLISECONDS.sleep(Math.round(windowSeconds() * 1000));
      List<LinkCounts> after = network.counters().down();
      if (hasFailed(one, oneEnd, network) || hasFailed(other, otherEnd, network)) {
        return Optional.empty();
      }
      return Optional.of(
          List.of(
              after.get(2).forwardedBytes() - before.get(2).forwardedBytes(),
              after.get(3).forwardedBytes() - before.get(3).forwardedBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Returns the time over which {@link #sharedBytes} counts. */
  double windowSeconds() {
    return usualLimitSeconds() / 2;
  }

  /** Tests whether a program has failed, and then notes why. */
  private boolean hasFailed(FilePeer peer, Future<Transfer> end, Hosts hosts) {
    boolean hasFailed = end.state() == Future.State.FAILED;
    if (hasFailed) {
      addFailure(peer.name(), end.exceptionNow(), hosts.isClosed());
    }
    return hasFailed;
  }

  /** Returns a transfer that the end of the network ends. */
  private FilePeer.Job longJob(Path work, int sender, int receiver) {
    return new FilePeer.Job(
        longFile,
        warmUpFile,
        work,
        List.of(sender),
        List.of(receiver),
        LINK_MEGABITS,
        SHARING_SECONDS,
        0,
        FilePeer.Events.NONE);
  }

  private WorkFolder nextFolder() throws IOException {
    return WorkFolder.in(folder.path(), "run" + transfers++);
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }

  /** Writes bytes that depend on the name of the file. */
  private static void writeRandom(Path path, long bytes) throws IOException {
    Random random = new Random(path.getFileName().toString().hashCode());
    byte[] chunk = new byte[CHUNK_BYTES];
    try (var out = Files.newOutputStream(path)) {
      for (long left = bytes; left > 0; left -= CHUNK_BYTES) {
        random.nextBytes(chunk);
        out.write(chunk, 0, (int) Math.min(left, CHUNK_BYTES));
      }
    }
  }
}
