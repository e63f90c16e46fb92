package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.file.Temporaries;
import io.fieldstone.stream.file.WriteRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Restores the damaged blocks of a set in their places. Intact blocks are not written. A missing
 * file or volume is written under a temporary name and then renamed. So is a file whose blocks were
 * found at other places, or only in a file that may be a changed copy, which is left. A file that
 * is too long is cut off. So an interruption loses nothing that was intact, and the next repair
 * continues.
 *
 * <p>Every block is checked by its hash before it is written, and the set is verified at the end.
 *
 * <p>For one thread and a single repair. Two repairs of one set must not run at the same time.
 */
public final class SetRepairer {

  private static final double NS_PER_SECOND = 1e9;

  /** The bytes that a thread copies at a time, if a block is not larger. */
  private static final int COPY_BYTES = 1 << 20;

  private final Engine engine;
  private final Path folder;
  private final ParityFolder parity;

  private SetRepairer(Engine engine, Path folder, ParityFolder parity) {
    this.engine = engine;
    this.folder = folder;
    this.parity = parity;
  }

  /**
   * Opens a set, after undoing what a killed command had begun to rename among the volumes.
   *
   * @param engine performs the computation; the caller closes it
   * @param folder the folder of the volumes
   * @throws UnreadableSetException if the volumes have no complete manifest
   * @throws IOException if the folder cannot be read
   */
  public static SetRepairer open(Engine engine, Path folder) throws IOException {
    engine.requireOpen();
    Temporaries.recover(folder);
    return new SetRepairer(engine, folder, ParityFolder.open(folder));
  }

  /** Returns the manifest of the newest layer, whose id is that of the set. */
  public SetManifest manifest() {
    return parity.newest();
  }

  /** Returns the layers of the set and their files, without reading these. */
  public SetListing list() {
    return SetListing.of(parity);
  }

  /**
   * Repairs the set.
   *
   * @param base the folder that the paths of the set start from
   * @param isPartial whether to restore the other generations of a set if some cannot be restored
   * @param listener receives the progress of the scan, of the restoration, and of the scan after it
   * @throws NotRestorableException if a block cannot be restored, and the repair is not partial;
   *     nothing has been written, but whole files that were found have their names back
   * @throws IOException if reading or writing fails, or there is not enough space
   * @throws InterruptedException if the calling thread is interrupted
   */
  public RepairResult repair(Path base, boolean isPartial, ProgressListener listener)
      throws IOException, InterruptedException {
    return repair(SetPlaces.of(base), isPartial, listener);
  }

  /**
   * Repairs the set, as {@link #repair(Path, boolean, ProgressListener)} does.
   *
   * @throws NoFilesException if no file is found, and that is taken for a wrong base
   */
  public RepairResult repair(SetPlaces places, boolean isPartial, ProgressListener listener)
      throws IOException, InterruptedException {
    try (FolderLock _ = FolderLock.of(folder)) {
      return Interruptions.report(() -> repairSet(places, isPartial, listener));
    }
  }

  private RepairResult repairSet(SetPlaces places, boolean isPartial, ProgressListener listener)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    recover(places.base());
    LayerScans scans = new LayerScans(parity, Optional.of(places), engine.threads(), listener);
    List<DamageScan> layers = scans.all();
    SetReport before = scans.report(layers);
    if (!before.layers().stream().allMatch(LayerReport::isRestorable) && !isPartial) {
      int renamed = 0;
      for (DamageScan scan : layers) {
        renamed += rename(scan);
      }
      throw new NotRestorableException(before, renamed);
    }
    boolean isWritten = false;
    // The oldest first: blocks of a file that a newer layer restores may be needed before.
    for (DamageScan first : layers) {
      if (!first.report().isIntact()) {
        repair(isWritten ? scans.of(first.folder()) : first, listener);
        isWritten = true;
      }
    }
    SetReport after =
        isWritten ? SetVerifier.open(folder, engine.threads()).verify(places, listener) : before;
    return new RepairResult(before, after, (System.nanoTime() - start) / NS_PER_SECOND);
  }

  private void repair(DamageScan scan, ProgressListener listener)
      throws IOException, InterruptedException {
    LayerReport report = scan.report();
    try (WriteRights rights = new WriteRights();
        Temporaries temporaries = new Temporaries();
        RepairTargets targets = new RepairTargets(scan, report, temporaries, rights)) {
      new Job(scan, targets, listener).run();
      targets.finish();
      temporaries.commit();
      targets.committed();
    }
  }

  /** Gives whole files that were found under other names theirs; returns their number. */
  private static int rename(DamageScan scan) throws IOException {
    int[] renamed = scan.wholeRenamedFiles();
    for (int file : renamed) {
      Path parent = scan.targetOf(file).getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      scan.moveBack(file);
      scan.stampOf(file).applyTo(scan.targetOf(file));
    }
    return renamed.length;
  }

  /** Undoes what a killed repair had begun to rename, and deletes its temporary files. */
  private void recover(Path base) throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (ParityLayer layer : parity.layers()) {
      for (String path : LayerScans.paths(layer)) {
        Path parent = base.resolve(path).getParent();
        if (parent != null && Files.isDirectory(parent)) {
          folders.add(parent.toRealPath());
        }
      }
    }
    folders.forEach(Temporaries::recover);
  }

  private final class Job {
    private final DamageScan scan;
    private final SetShape shape;
    private final RepairTargets targets;
    private final int[] generations;
    private final int[] copies;
    private final ProgressSum progress;
    private int next;
    private int nextCopy;

    Job(DamageScan scan, RepairTargets targets, ProgressListener listener) {
      this.scan = scan;
      this.shape = scan.folder().manifest().shape();
      this.targets = targets;
      this.generations = scan.restorable();
      this.copies = targets.copies();
      this.progress =
          new ProgressSum(
              generations.length * sourceBytes() + (long) copies.length * shape.blockSize(),
              listener);
    }

    void run() throws IOException, InterruptedException {
      if (generations.length + copies.length == 0) {
        return;
      }
      // A decoder holds the source blocks twice.
      long bytes = (2L * shape.blocks() + shape.parity()) * shape.blockSize();
      Batches batches = Batches.plan(engine, bytes, Math.max(generations.length, copies.length));
      List<Restoration> slots = new ArrayList<>();
      try (NativeMemory memory = new NativeMemory(engine)) {
        for (int slot = 0; slot < batches.slots(); slot++) {
          slots.add(new Restoration(engine, scan, targets, memory));
        }
        new Pipeline<Restoration, IOException>("copy", slots)
            .inOrder("claim", this::claimCopies)
            .anyOrder("copy", this::copy)
            .run();
        new Pipeline<Restoration, IOException>("repair", slots)
            .inOrder("claim", this::claim)
            .anyOrder("restore", this::restore)
            .run();
      } finally {
        for (Restoration slot : slots) {
          slot.close();
        }
      }
    }

    private long claim(Restoration slot) {
      if (next == generations.length) {
        return Stage.END;
      }
      slot.take(generations[next]);
      next++;
      return 0;
    }

    private long restore(Restoration slot) throws IOException {
      long bytes = slot.restore();
      progress.add(sourceBytes());
      return bytes;
    }

    private long claimCopies(Restoration slot) {
      if (nextCopy == copies.length) {
        return Stage.END;
      }
      int end = Math.min(copies.length, nextCopy + Math.max(1, COPY_BYTES / shape.blockSize()));
      slot.take(Arrays.copyOfRange(copies, nextCopy, end));
      nextCopy = end;
      return 0;
    }

    private long copy(Restoration slot) throws IOException {
      long bytes = slot.copy();
      progress.add(bytes);
      return bytes;
    }

    /** Returns the source bytes of a generation. */
    private long sourceBytes() {
      return (long) shape.blocks() * shape.blockSize();
    }
  }
}
