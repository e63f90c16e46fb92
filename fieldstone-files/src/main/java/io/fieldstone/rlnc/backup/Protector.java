package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetLayer;
import io.fieldstone.rlnc.wire.SetLayout;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.WarmUp;
import io.fieldstone.stream.file.FileProblem;
import io.fieldstone.stream.file.FileStamp;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.SpaceNeeds;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Writes the parity of a set of files to volumes {@code DIR/parity.NN.fsp}. The files stay as they
 * are.
 *
 * {@snippet :
 * Selection selection = Selection.of(List.of(Path.of("photos")), Path.of("parity"));
 * new Protector(engine, parameters).protect(selection, Path.of("parity"), ProgressListener.NONE);
 * }
 *
 * <p>Block i of the set belongs to generation i mod d. Any r blocks of a generation can be lost,
 * for certain, where r is its number of parity blocks. Each volume has parity blocks of every
 * generation, and the whole {@link SetManifest}.
 *
 * <p>Memory is bounded for sets of any length: 240 MiB or four generations, and 36 bytes for each
 * block. Immutable; as thread-safe as its engine.
 */
public final class Protector {

  private static final double NS_PER_SECOND = 1e9;

  private final Engine engine;
  private final ProtectionParameters parameters;
  private final boolean replaces;
  private final boolean isStrict;

  /** The number of times that the files are read, each time without those that failed before. */
  private static final int ATTEMPTS = 3;

  /**
   * Creates a protector of all files or none.
   *
   * @param engine performs the computation; the caller closes it
   * @param replaces whether volumes in the folder are replaced
   */
  public Protector(Engine engine, ProtectionParameters parameters, boolean replaces) {
    this(engine, parameters, replaces, true);
  }

  /**
   * Creates a protector.
   *
   * @param engine performs the computation; the caller closes it
   * @param replaces whether volumes in the folder are replaced
   * @param isStrict whether a file that cannot be read, or that changes meanwhile, is an error;
   *     else it is left out, and the other files are read again
   */
  public Protector(
      Engine engine, ProtectionParameters parameters, boolean replaces, boolean isStrict) {
    engine.requireOpen();
    this.isStrict = isStrict;
    this.engine = engine;
    this.parameters = parameters;
    this.replaces = replaces;
  }

  /**
   * Writes the volumes.
   *
   * @param directory the folder of the volumes; created if absent. All volumes in it are replaced
   *     or removed together, after the new ones are complete ({@link Temporaries})
   * @throws FileAlreadyExistsException if the folder has volumes that must not be replaced
   * @throws IOException if writing fails, there is not enough space, or a file that may not be left
   *     out cannot be read or changes meanwhile; the folder is then unchanged
   * @throws IllegalArgumentException if the parameters do not fit the files
   * @throws InterruptedException if the calling thread is interrupted; the folder is then unchanged
   */
  public ProtectionResult protect(Selection selection, Path directory, ProgressListener listener)
      throws IOException, InterruptedException {
    return Interruptions.report(() -> {
      if (!Files.isDirectory(directory)) {
        return protect(selection, directory, History.NONE, listener);
      }
      try (FolderLock _ = FolderLock.of(directory)) {
        return protect(selection, directory, History.NONE, listener);
      }
    });
  }

  /** Writes the volumes of a layer. The caller has locked the folder. */
  ProtectionResult protect(
      Selection selection, Path directory, History history, ProgressListener listener)
      throws IOException, InterruptedException {
    Selection rest = selection;
    for (int attempt = 1; ; attempt++) {
      List<SetLayer> earlier = history.earlier(rest.files());
      SetShape shape = shape(rest.files(), earlier);
      Job job = new Job(rest, shape, history, earlier, directory, listener, isStrict);
      Optional<ProtectionResult> result = job.run();
      if (result.isPresent()) {
        return result.get();
      }
      rest = rest.without(job.failed);
      boolean isNothing = rest.files().isEmpty() && history.gone().isEmpty();
      if (isNothing || attempt == ATTEMPTS) {
        Selection.LeftOut last = rest.leftOut().getLast();
        throw new FileSystemException(last.file(), null, last.reason());
      }
    }
  }

  private SetShape shape(List<SetFile> files, List<SetLayer> earlier) {
    SetShape shape = parameters.shape(files);
    if (SetManifest.byteSize(shape, earlier, files) > SetManifest.MAX_BYTES) {
      throw new IllegalArgumentException(
          "the names of %d files need more than %d bytes"
              .formatted(files.size(), SetManifest.MAX_BYTES));
    }
    return shape;
  }

  private final class Job {
    private final Selection selection;
    private final SetShape shape;
    private final History history;
    private final List<SetLayer> earlier;
    private final Path directory;
    private final SourceBlocks blocks;
    private final byte[] hashes;
    private final int[] sums;
    private final byte[] marks;
    private final SetLayout layout;
    private final long parityAt;
    private final ProgressSum progress;
    private final boolean endsAtFailure;

    /** The reasons why files could not be read, by the number of the file. */
    private final Map<Integer, String> failed = new ConcurrentHashMap<>();

    private int next;

    Job(
        Selection selection,
        SetShape shape,
        History history,
        List<SetLayer> earlier,
        Path directory,
        ProgressListener listener,
        boolean endsAtFailure) {
      this.endsAtFailure = endsAtFailure;
      this.selection = selection;
      this.shape = shape;
      this.history = history;
      this.earlier = earlier;
      this.directory = directory;
      this.blocks = new SourceBlocks(selection.files(), shape.blockSize());
      this.layout = new SetLayout(selection.files(), shape.blockSize());
      this.hashes = new byte[(layout.blocks() + shape.parityBlocks()) * Sha256.BYTES];
      this.sums = new int[layout.pieces()];
      this.marks = new byte[layout.sharedPieces() * SetManifest.MARK_BYTES];
      this.parityAt = ParityLayer.parityAt(shape, history.update(), earlier, selection.files());
      this.progress = new ProgressSum((long) layout.blocks() * shape.blockSize(), listener);
    }

    /** Writes the volumes; empty if files failed, and nothing is written. */
    Optional<ProtectionResult> run() throws IOException, InterruptedException {
      long start = System.nanoTime();
      List<Path> sources =
          selection.files().stream().map(file -> selection.base().resolve(file.path())).toList();
      List<Optional<FileStamp>> stamps = stamps(sources);
      try (Temporaries temporaries = new Temporaries()) {
        temporaries.createDirectories(directory);
        List<Path> paths = paths();
        List<OpenFile> volumes = create(paths, temporaries);
        long bytes = requireSpace(paths);
        List<StageProfile> profile = encode(sources, volumes);
        requireUnchanged(stamps);
        if (!failed.isEmpty()) {
          return Optional.empty();
        }
        SetManifest manifest =
            new SetManifest(
                shape, history.update(), earlier, selection.files(), hashes, sums, marks);
        finish(manifest, volumes);
        temporaries.commit();
        double seconds = (System.nanoTime() - start) / NS_PER_SECOND;
        return Optional.of(
            new ProtectionResult(manifest, paths, bytes, seconds, profile, selection.leftOut()));
      }
    }

    /** Checks that there is space for the volumes; returns their bytes. */
    private long requireSpace(List<Path> paths) throws IOException {
      SpaceNeeds needs = new SpaceNeeds();
      long total = 0;
      for (int volume = 0; volume < shape.volumes(); volume++) {
        long bytes = parityAt + shape.parityBytes(volume);
        needs.add(Temporaries.directoryOf(paths.get(volume)), bytes);
        total += bytes;
      }
      needs.require();
      return total;
    }

    private List<Path> paths() {
      List<Path> paths = new ArrayList<>();
      for (int volume = 0; volume < shape.volumes(); volume++) {
        paths.add(directory.resolve(ParityLayer.name(history.update(), volume)));
      }
      return paths;
    }

    private List<OpenFile> create(List<Path> paths, Temporaries temporaries) throws IOException {
      boolean isFirst = history.set().isEmpty();
      Set<Path> old =
          new TreeSet<>(isFirst ? ParityFolder.files(directory) : history.removals(earlier));
      if (isFirst && !replaces && !old.isEmpty()) {
        throw new FileAlreadyExistsException(old.iterator().next().toString());
      }
      List<OpenFile> volumes = new ArrayList<>();
      for (Path path : paths) {
        old.remove(path);
        volumes.add(temporaries.create(path, replaces));
      }
      for (Path rest : old) {
        temporaries.remove(rest);
      }
      return volumes;
    }

    /** Notes a file that failed, or ends the job. */
    private void fail(int file, IOException e) throws IOException {
      if (endsAtFailure) {
        throw e;
      }
      failed.putIfAbsent(file, FileProblem.reason(e));
    }

    /** Reads the stamps of the files; none of those that failed. */
    private List<Optional<FileStamp>> stamps(List<Path> sources)
        throws IOException, InterruptedException {
      List<Optional<FileStamp>> stamps = new ArrayList<>();
      for (int file = 0; file < sources.size(); file++) {
        Optional<FileStamp> stamp = Optional.empty();
        try {
          stamp = Optional.of(FileStamp.of(sources.get(file)));
          requireSame(selection.files().get(file), stamp.get());
        } catch (IOException e) {
          fail(file, e);
        }
        stamps.add(stamp);
      }
      return stamps;
    }

    /** Checks that a file is as it was when it was found. */
    private static void requireSame(SetFile found, FileStamp stamp) throws IOException {
      boolean hasTime = found.modifiedNs() != SetFile.UNKNOWN_TIME;
      if (stamp.size() != found.length()
          || hasTime && stamp.modified().to(TimeUnit.NANOSECONDS) != found.modifiedNs()) {
        throw FileProblem.changed(stamp.path().toString());
      }
    }

    private void requireUnchanged(List<Optional<FileStamp>> stamps) throws IOException {
      for (int file = 0; file < stamps.size(); file++) {
        if (stamps.get(file).isPresent()) {
          try {
            stamps.get(file).get().requireUnchanged();
          } catch (IOException e) {
            fail(file, e);
          }
        }
      }
    }

    private List<StageProfile> encode(List<Path> sources, List<OpenFile> volumes)
        throws IOException, InterruptedException {
      if (shape.generations() == 0) {
        return List.of();
      }
      long generationBytes = (long) (shape.blocks() + shape.parity()) * shape.blockSize();
      Batches batches = Batches.plan(engine, generationBytes, shape.generations());
      int capacity =
          Math.min(batches.generations(), GenerationShape.MAX_BLOCK_SIZE / shape.blockSize());
      List<SourceReader> readers = new ArrayList<>();
      try (NativeMemory memory = new NativeMemory(engine)) {
        List<ProtectionBatch> slots = new ArrayList<>();
        for (int slot = 0; slot < batches.slots(); slot++) {
          SourceReader reader = new SourceReader(blocks, sources, shape.blockSize(), this::fail);
          readers.add(reader);
          slots.add(
              new ProtectionBatch(
                  engine,
                  shape,
                  layout,
                  blocks,
                  capacity,
                  batches.occupiesAllThreads(),
                  reader,
                  memory));
        }
        WarmUp warmUp =
            new WarmUp(
                engine, shape.generation(shape.blockSize()).field(), batches.occupiesAllThreads());
        warmUp.start();
        Engine.hashing().expect((long) shape.generations() * generationBytes);
        return new Pipeline<ProtectionBatch, IOException>("protect", slots)
            .inOrder("claim", batch -> claim(batch, capacity))
            .anyOrder("read", ProtectionBatch::read)
            .anyOrder("compute", batch -> compute(batch, warmUp))
            .anyOrder("hash", batch -> batch.hash(hashes, sums, marks))
            .anyOrder("write", batch -> write(batch, volumes))
            .run();
      } finally {
        for (SourceReader reader : readers) {
          reader.close();
        }
      }
    }

    private long claim(ProtectionBatch batch, int capacity) {
      int count = Math.min(capacity, shape.generations() - next);
      if (count == 0) {
        return Stage.END;
      }
      batch.take(next, count);
      next += count;
      return 0;
    }

    private static long compute(ProtectionBatch batch, WarmUp warmUp)
        throws IOException, InterruptedException {
      warmUp.await();
      return batch.encode();
    }

    private long write(ProtectionBatch batch, List<OpenFile> volumes) throws IOException {
      long bytes = batch.write(volumes, parityAt);
      progress.add((long) batch.generations() * shape.blocks() * shape.blockSize());
      return bytes;
    }

    private void finish(SetManifest manifest, List<OpenFile> volumes) throws IOException {
      byte[] bytes = manifest.toBytes();
      Sha256 id = manifest.id();
      for (int volume = 0; volume < volumes.size(); volume++) {
        for (int page = 0; page < ManifestPage.pagesOf(bytes.length); page++) {
          byte[] stored = ManifestPage.of(id, bytes, page, volume).toBytes();
          volumes
              .get(volume)
              .write(MemorySegment.ofArray(stored), (long) page * ManifestPage.BYTES);
        }
        volumes.get(volume).extend(parityAt + shape.parityBytes(volume));
      }
    }
  }
}
