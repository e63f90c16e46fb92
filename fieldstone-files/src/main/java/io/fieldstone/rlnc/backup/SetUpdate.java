package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.SavedMetadata;
import io.fieldstone.stream.file.Temporaries;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * Adds new and changed files to a set: a further layer protects them, and states which files of the
 * earlier layers do not count any more. The volumes of earlier layers stay as they are.
 *
 * {@snippet :
 * try (SetUpdate update = SetUpdate.open(List.of(Path.of("photos")), Path.of("parity"), false)) {
 *   update.run(engine, parameters, true, ProgressListener.NONE);
 * }
 * }
 *
 * <p>A file is changed if its length or its time of modification is another. Files that are not
 * below the given paths stay in the set as they are. A layer whose retired files use up more than
 * half of the parity of a generation is too weak: after a check of its other files, the new layer
 * protects these too, and its volumes are removed. So are the smallest layers if there are more
 * than {@value #MAX_LAYERS}.
 *
 * <p>An open update locks the folder for other commands that write to it. For one thread.
 */
public final class SetUpdate implements Closeable {

  /** The maximum number of layers with files that count. */
  public static final int MAX_LAYERS = 32;

  private final Path directory;
  private final boolean isMade;
  private final Optional<ParityFolder> set;
  private final FolderLock lock;
  private final Selection found;
  private final Map<String, SetFile> fresh;
  private final Set<String> gone;
  private final Map<ParityLayer, List<SetFile>> merged;

  private SetUpdate(
      Path directory,
      boolean isMade,
      Optional<ParityFolder> set,
      FolderLock lock,
      Selection found,
      Map<String, SetFile> fresh,
      Set<String> gone,
      Map<ParityLayer, List<SetFile>> merged) {
    this.directory = directory;
    this.isMade = isMade;
    this.set = set;
    this.lock = lock;
    this.found = found;
    this.fresh = fresh;
    this.gone = gone;
    this.merged = merged;
  }

  /**
   * The result of an update.
   *
   * @param id the id of the set
   * @param protection the new layer; empty if there was nothing to add
   * @param newFiles the number of files that the set did not have
   * @param changedFiles the number of files that were changed
   * @param goneFiles the number of files that were deleted
   * @param againFiles the number of files of weak or small layers that were protected again
   * @param files the number of files of the set
   * @param bytes the total bytes of the files of the set
   * @param damaged the files of weak or small layers that are damaged, so that these layers stay
   * @param leftOut files that could not be protected; older versions stay in the set
   */
  public record Result(
      Sha256 id,
      Optional<ProtectionResult> protection,
      int newFiles,
      int changedFiles,
      int goneFiles,
      int againFiles,
      int files,
      long bytes,
      List<Damage> damaged,
      List<Selection.LeftOut> leftOut) {

    public Result {
      damaged = List.copyOf(damaged);
      leftOut = List.copyOf(leftOut);
    }
  }

  /**
   * Locks the folder and compares the set with the files. A folder without volumes gets a first
   * layer of all files.
   *
   * @param paths files and folders, as they were given to protect; at least one
   * @param directory the folder of the volumes
   * @param isForced whether a path without any of the files that the set has there is taken as
   *     deleted on purpose, and so is a path that does not exist
   * @throws NoFilesException if none of the files of the set is at its place
   * @throws UnreadableSetException if the volumes have no complete manifest
   * @throws FileSystemException if another command writes to the folder, or a path has none of the
   *     files that the set has there
   * @throws IOException if a path does not exist, or a folder cannot be read
   */
  public static SetUpdate open(List<Path> paths, Path directory, boolean isForced)
      throws IOException {
    boolean isMade = !Files.exists(directory);
    if (isMade) {
      Files.createDirectories(directory);
    }
    FolderLock lock = FolderLock.of(directory);
    try {
      Temporaries.recover(directory);
      return open(paths, directory, isMade, isForced, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      if (isMade) {
        deleteIfEmpty(directory);
      }
      throw e;
    }
  }

  private static SetUpdate open(
      List<Path> paths, Path directory, boolean isMade, boolean isForced, FolderLock lock)
      throws IOException {
    List<Path> existing = paths.stream().filter(path -> !isForced || Files.exists(path)).toList();
    if (existing.isEmpty()) {
      throw new NoSuchFileException(paths.getFirst().toString());
    }
    Selection found = Selection.of(existing, directory);
    Optional<ParityFolder> set =
        ParityFolder.files(directory).isEmpty()
            ? Optional.empty()
            : Optional.of(ParityFolder.open(directory));
    Map<String, SetFile> live = new TreeMap<>();
    for (ParityLayer layer : set.map(ParityFolder::layers).orElse(List.of())) {
      layer
          .live()
          .mapToObj(layer.manifest().files()::get)
          .forEach(file -> live.put(file.path(), file));
    }
    Path base = found.base();
    if (!live.isEmpty() && live.keySet().stream().noneMatch(path -> isFile(base, path))) {
      throw new NoFilesException(base, Optional.empty());
    }
    Map<String, SetFile> fresh = new LinkedHashMap<>();
    Set<String> present = new HashSet<>();
    for (SetFile file : found.files()) {
      Optional<SetFile> old = Optional.ofNullable(live.get(file.path()));
      present.add(file.path());
      if (old.isEmpty() || isChanged(old.get(), file)) {
        fresh.put(file.path(), file);
      }
    }
    Set<String> gone = new HashSet<>();
    for (Path path : paths) {
      Path root = Selection.realPath(path);
      List<String> below =
          live.keySet().stream().filter(one -> base.resolve(one).startsWith(root)).toList();
      List<String> deleted =
          below.stream().filter(one -> !present.contains(one) && !isFile(base, one)).toList();
      if (!isForced && !deleted.isEmpty() && deleted.size() == below.size()) {
        throw new FileSystemException(
            path.toString(),
            null,
            "has none of the %d files that the set has there; with --force they are taken as deleted on purpose"
                .formatted(below.size()));
      }
      gone.addAll(deleted);
    }
    Set<String> retired = new HashSet<>(gone);
    retired.addAll(fresh.keySet());
    Map<ParityLayer, List<SetFile>> merged =
        set.isPresent() ? merged(set.get(), retired, base) : Map.of();
    return new SetUpdate(directory, isMade, set, lock, found, fresh, gone, merged);
  }

  private static boolean isFile(Path base, String path) {
    return Files.isRegularFile(base.resolve(path), LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isChanged(SetFile old, SetFile file) {
    return old.length() != file.length()
        || old.modifiedNs() != file.modifiedNs()
        || file.modifiedNs() == SetFile.UNKNOWN_TIME;
  }

  /** Returns the layers that are weak, or too many, and the other files of each. */
  private static Map<ParityLayer, List<SetFile>> merged(
      ParityFolder set, Set<String> retired, Path base) throws IOException {
    Map<ParityLayer, List<SetFile>> merged = new LinkedHashMap<>();
    List<ParityLayer> strong = new ArrayList<>();
    for (ParityLayer layer : set.layers()) {
      BitSet all = (BitSet) layer.retired().clone();
      layer
          .live()
          .filter(file -> retired.contains(layer.manifest().files().get(file).path()))
          .forEach(all::set);
      if (all.cardinality() == layer.manifest().files().size()) {
        continue; // No file is left.
      }
      if (isWeak(layer.manifest(), all)) {
        unchanged(layer, all, base).ifPresent(files -> merged.put(layer, files));
      } else {
        strong.add(layer);
      }
    }
    if (strong.size() >= MAX_LAYERS) {
      strong.sort(Comparator.comparingLong(ParityLayer::liveBytes));
      for (ParityLayer layer : strong.subList(0, MAX_LAYERS / 2)) {
        BitSet all = (BitSet) layer.retired().clone();
        layer
            .live()
            .filter(file -> retired.contains(layer.manifest().files().get(file).path()))
            .forEach(all::set);
        unchanged(layer, all, base).ifPresent(files -> merged.put(layer, files));
      }
    }
    return merged;
  }

  /** Returns true if retired files use up more than half of the parity of a generation. */
  private static boolean isWeak(SetManifest manifest, BitSet retired) {
    SetShape shape = manifest.shape();
    SourceBlocks pieces = new SourceBlocks(manifest.files(), shape.blockSize());
    int[] used = new int[shape.generations()];
    int last = -1;
    for (int file : retired.stream().toArray()) {
      for (int piece = pieces.firstOf(file); piece < pieces.firstOf(file + 1); piece++) {
        int block = manifest.layout().blockOf(piece);
        // Several pieces of a block follow each other.
        used[block % shape.generations()] += block == last ? 0 : 1;
        last = block;
      }
    }
    return Arrays.stream(used).anyMatch(count -> 2 * count > shape.parity());
  }

  /** Returns the files of a layer that count; empty if one is not as it was protected. */
  private static Optional<List<SetFile>> unchanged(ParityLayer layer, BitSet retired, Path base)
      throws IOException {
    List<SetFile> files = new ArrayList<>();
    for (int file = 0; file < layer.manifest().files().size(); file++) {
      SetFile old = layer.manifest().files().get(file);
      if (!retired.get(file)) {
        Path path = base.resolve(old.path());
        if (!isFile(base, old.path())
            || Files.size(path) != old.length()
            || SavedMetadata.of(path).modifiedNs().orElse(SetFile.UNKNOWN_TIME)
                != old.modifiedNs()) {
          return Optional.empty();
        }
        files.add(old);
      }
    }
    return Optional.of(files);
  }

  /** Returns what was found below the paths. */
  public Selection selection() {
    return found;
  }

  /** Returns the files that the new layer is to have, in ascending order of their paths. */
  public List<SetFile> files() {
    return files(merged.keySet());
  }

  private List<SetFile> files(Set<ParityLayer> layers) {
    Map<byte[], SetFile> all = new TreeMap<>(Arrays::compareUnsigned);
    fresh.values().forEach(file -> all.put(file.path().getBytes(StandardCharsets.UTF_8), file));
    for (ParityLayer layer : layers) {
      for (SetFile file : merged.getOrDefault(layer, List.of())) {
        all.put(file.path().getBytes(StandardCharsets.UTF_8), file);
      }
    }
    return List.copyOf(all.values());
  }

  /**
   * Returns the parameters with which the new layer is made: with as many volumes as it has parity
   * blocks in a generation, if it has fewer than asked for.
   *
   * @throws IllegalArgumentException if the parameters do not fit the files
   */
  public ProtectionParameters fitting(ProtectionParameters parameters) {
    return isFirst() ? parameters : fitting(parameters, files());
  }

  private static ProtectionParameters fitting(
      ProtectionParameters parameters, List<SetFile> files) {
    if (parameters.volumes().isEmpty()) {
      return parameters;
    }
    ProtectionParameters any =
        new ProtectionParameters(
            parameters.redundancy(),
            parameters.generation(),
            parameters.blockSize(),
            OptionalInt.empty());
    int volumes = Math.min(parameters.volumes().getAsInt(), any.shape(files).parity());
    return new ProtectionParameters(
        parameters.redundancy(),
        parameters.generation(),
        parameters.blockSize(),
        OptionalInt.of(volumes));
  }

  /** Returns true if the folder has no set yet. */
  public boolean isFirst() {
    return set.isEmpty();
  }

  /**
   * Writes the volumes of the new layer: all or none.
   *
   * @param engine performs the computation; the caller closes it
   * @param isStrict whether a file that cannot be read, or that changes meanwhile, is an error;
   *     else it is left out, and its older version stays in the set
   * @throws IOException if reading or writing fails, or there is not enough space; the folder is
   *     then unchanged
   * @throws IllegalArgumentException if the parameters do not fit the files
   * @throws InterruptedException if the calling thread is interrupted; the folder is then unchanged
   */
  public Result run(
      Engine engine, ProtectionParameters parameters, boolean isStrict, ProgressListener listener)
      throws IOException, InterruptedException {
    return Interruptions.report(() -> update(engine, parameters, isStrict, listener));
  }

  private Result update(
      Engine engine, ProtectionParameters parameters, boolean isStrict, ProgressListener listener)
      throws IOException, InterruptedException {
    List<Damage> damaged = new ArrayList<>();
    Set<ParityLayer> intact = new HashSet<>();
    for (ParityLayer layer : merged.keySet()) {
      List<Damage> own = damaged(layer, engine.threads());
      damaged.addAll(own);
      if (own.isEmpty()) {
        intact.add(layer);
      }
    }
    List<SetFile> files = files(intact);
    boolean isNothing =
        set.isPresent() && files.isEmpty() && gone.isEmpty() && set.get().missing().isEmpty();
    if (isNothing) {
      return result(Optional.empty(), damaged, List.of());
    }
    Selection selection = new Selection(found.base(), files, found.skipped(), found.leftOut());
    ProtectionResult protection =
        new Protector(engine, isFirst() ? parameters : fitting(parameters, files), false, isStrict)
            .protect(selection, directory, new History(set, gone), listener);
    return result(Optional.of(protection), damaged, protection.leftOut());
  }

  /** Returns the damaged files of a layer, whose bytes must not be protected as they are. */
  private List<Damage> damaged(ParityLayer layer, int threads)
      throws IOException, InterruptedException {
    Set<String> paths = new HashSet<>();
    merged.getOrDefault(layer, List.of()).forEach(file -> paths.add(file.path()));
    LayerScans scans =
        new LayerScans(
            set.orElseThrow(),
            Optional.of(SetPlaces.of(found.base())),
            threads,
            ProgressListener.NONE);
    return scans.of(layer).report().files().stream()
        .filter(damage -> paths.contains(damage.name()))
        .toList();
  }

  private Result result(
      Optional<ProtectionResult> protection,
      List<Damage> damaged,
      List<Selection.LeftOut> leftOut) {
    Set<String> added = new HashSet<>();
    protection.ifPresent(one -> one.manifest().files().forEach(file -> added.add(file.path())));
    int count = 0;
    long bytes = 0;
    int again = 0;
    int old = 0;
    for (ParityLayer layer : set.map(ParityFolder::layers).orElse(List.of())) {
      for (int file : layer.live().toArray()) {
        SetFile one = layer.manifest().files().get(file);
        boolean isAdded = added.contains(one.path());
        if (isAdded && fresh.containsKey(one.path())) {
          old++;
        } else if (isAdded) {
          again++;
        } else if (!gone.contains(one.path())) {
          count++;
          bytes += one.length();
        }
      }
    }
    long addedBytes = protection.map(one -> one.manifest().length()).orElse(0L);
    Sha256 id =
        protection
            .map(ProtectionResult::manifest)
            .or(() -> set.map(ParityFolder::newest))
            .orElseThrow()
            .id();
    return new Result(
        id,
        protection,
        added.size() - old - again,
        old,
        gone.size(),
        again,
        count + added.size(),
        bytes + addedBytes,
        damaged,
        leftOut);
  }

  @Override
  public void close() throws IOException {
    lock.close();
    if (isMade) {
      deleteIfEmpty(directory);
    }
  }

  /** Deletes the folder that was made for the lock, if nothing was written. */
  private static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException _) {
      // It has volumes now, or files of others.
    }
  }
}
