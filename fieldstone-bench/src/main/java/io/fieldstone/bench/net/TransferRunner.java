package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Moves one file by many programs, each time over a new network. For one thread. */
final class TransferRunner implements AutoCloseable {

  /** Rate and one-way delay of the link that most tables use. */
  static final double LINK_MEGABITS = 50;

  static final double DELAY_MILLIS = 10;

  /** Twice the product of the rate and the round-trip time, and a third of it. */
  static final int LARGE_QUEUE_BYTES = 250_000;

  static final int SMALL_QUEUE_BYTES = 40_000;

  private static final int FILE_BYTES = 40_000_000;
  private static final int QUICK_FILE_BYTES = 10_000_000;
  private static final double LIMIT_SECONDS = 20;
  private static final int CHUNK_BYTES = 1 << 20;

  /** The transfer of the median duration, and what the link had counted at its end. */
  record Sample(Transfer transfer, VirtualNetwork.Counters counters) {}

  private final Pace pace;
  private final Path folder;
  private final Path file;
  private int transfers;

  TransferRunner(Pace pace) throws IOException {
    this.pace = pace;
    this.folder = Files.createTempDirectory("fieldstone-bench-net-");
    this.file = folder.resolve("file");
    writeRandom(file, (pace.allShapes() ? FILE_BYTES : QUICK_FILE_BYTES) / pace.shrink());
  }

  /** Returns the time after which a transfer is stopped. */
  double limitSeconds() {
    return Math.max(1, LIMIT_SECONDS / pace.shrink());
  }

  /** Returns the number of transfers of which the median is taken. */
  int samples() {
    return pace.allShapes() ? 3 : 1;
  }

  /** Returns the path of the file to move. */
  Path file() {
    return file;
  }

  /** Returns the link in the direction of the data, with independent losses. */
  static LinkSettings link(int queueBytes, double loss) {
    return LinkSettings.of(LINK_MEGABITS, DELAY_MILLIS, queueBytes).withLoss(loss);
  }

  /** Returns the direction of the acknowledgements, which loses nothing. */
  static LinkSettings back() {
    return LinkSettings.of(LINK_MEGABITS, DELAY_MILLIS, 1 << 20);
  }

  /** Moves the file over one link to one receiver, and records the result. */
  Sample measure(Run run, FilePeer peer, String title, LinkSettings link) {
    List<RouterEnd> ends =
        List.of(new RouterEnd(link, back(), peer.congestionControl()), RouterEnd.unlimited());
    return measure(run, peer, title, ends, 1);
  }

  /** Moves the file from end 0 to receivers at the following ends, and records the result. */
  Sample measure(Run run, FilePeer peer, String title, List<RouterEnd> ends, int receivers) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < samples(); i++) {
      samples.add(sample(peer, ends, receivers));
    }
    samples.sort(Comparator.comparingDouble(one -> one.transfer().megabitsPerSecond()));
    Sample median = samples.get(samples.size() / 2);
    if (median.transfer().bytes() > 0) {
      double bytes = median.transfer().bytes();
      run.record(title + ": " + peer.name(), bytes, median.transfer().seconds());
    }
    return median;
  }

  private Sample sample(FilePeer peer, List<RouterEnd> ends, int receivers) {
    try (VirtualNetwork network = VirtualNetwork.open(transfers, ends)) {
      Path work = Files.createDirectory(folder.resolve("run" + transfers++));
      try {
        Transfer transfer =
            peer.transfer(
                network,
                new FilePeer.Job(file, work, receivers, LINK_MEGABITS, limitSeconds()));
        return new Sample(transfer, network.counters());
      } finally {
        delete(work);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    delete(folder);
  }

  private static void delete(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> found = Files.walk(folder)) {
      found.forEach(all::add);
    }
    for (Path path : all.reversed()) {
      Files.delete(path);
    }
  }

  private static void writeRandom(Path path, int bytes) throws IOException {
    Random random = new Random(1);
    byte[] chunk = new byte[CHUNK_BYTES];
    try (var out = Files.newOutputStream(path)) {
      for (int left = bytes; left > 0; left -= CHUNK_BYTES) {
        random.nextBytes(chunk);
        out.write(chunk, 0, Math.min(left, CHUNK_BYTES));
      }
    }
  }
}
