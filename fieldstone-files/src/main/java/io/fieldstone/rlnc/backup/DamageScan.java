package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.ProgressSum;
import io.fieldstone.stream.Stage;
import io.fieldstone.stream.file.FileProblem;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.SavedMetadata;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Reads all blocks of a set, and finds those that are missing or do not have their hash. Source
 * blocks that are not at their places are searched elsewhere ({@link BlockSearch}).
 */
final class DamageScan {

  /** The minimum bytes that a thread reads at a time. */
  private static final int RUN_BYTES = 1 << 20;

  /** The number of larger blocks that a thread reads at a time, to hash them together. */
  private static final int RUN_BLOCKS = 16;

  /** The maximum bytes that a thread reads at a time, unless a block is larger. */
  private static final int MAX_RUN_BYTES = 2 << 20;

  /** The bytes that are read together to find an unreadable one. */
  private static final int PAGE_BYTES = 4096;

  private final ParityLayer folder;
  private final SetManifest manifest;
  private final SetShape shape;
  private final SourceBlocks blocks;

  /** The files, then the volumes. */
  private final List<Part> parts = new ArrayList<>();

  /** A file that is no part of the set, and may have blocks of it. */
  private record Other(Path path, long bytes) {}

  private final Path base;

  /** Files in further folders, whose numbers follow those of the parts. */
  private final List<Other> others = new ArrayList<>();

  /** The files that were found in further folders, which are read only. */
  private final BitSet elsewhere = new BitSet();

  /** The files in the folders of the set that are not part of it. */
  private final List<Path> added;

  /**
   * The lost ones: pieces of source blocks, then parity blocks; guarded by itself while threads
   * scan. A source block is lost if one of its pieces is.
   */
  private final BitSet lost = new BitSet();

  /** The first unreadable byte of each file and volume; guarded by {@link #lost}. */
  private final Map<Integer, Long> unreadable = new HashMap<>();

  /** The source blocks that were found at other places. They are not lost. */
  private MovedBlocks moved = new MovedBlocks(0);

  /** The lost source blocks that are equal, or have one value. */
  private final KnownBlocks known;

  private final ProgressSum progress;
  private int claimedPart;
  private int claimedBlock;

  /**
   * A file or volume.
   *
   * @param path its place, or that of a renamed file
   * @param target its place
   * @param isMissing whether there is no file
   * @param found its bytes
   * @param at the offset of its first block
   * @param length the bytes that it must have
   * @param count the blocks that it must have
   * @param block returns the number in the set of each of its blocks
   * @param problem the reason why it cannot be read, or empty
   */
  private record Part(
      Path path,
      Path target,
      boolean isMissing,
      long found,
      long at,
      long length,
      int count,
      IntUnaryOperator block,
      String problem) {}

  private DamageScan(
      ParityLayer folder, Optional<SetPlaces> places, Set<Path> others, ProgressListener listener)
      throws IOException {
    Path base = places.map(SetPlaces::base).orElse(Path.of(""));
    this.base = base;
    this.folder = folder;
    this.manifest = folder.manifest();
    this.shape = manifest.shape();
    this.known = new KnownBlocks(this, manifest);
    this.blocks = new SourceBlocks(manifest.files(), shape.blockSize());
    int k = shape.blockSize();
    Path parity = folder.volumes().getFirst().path().toAbsolutePath().getParent();
    RenamedFiles.Result found =
        places.isPresent()
            ? new RenamedFiles(places.get(), parity == null ? base : parity, folder, blocks, others)
                .find()
            : new RenamedFiles.Result(Map.of(), Set.of(), List.of(), List.of());
    Map<Integer, Path> renamed = found.renamed();
    this.added = found.added();
    for (Path path : found.also()) {
      this.others.add(new Other(path, Files.size(path)));
    }
    found.elsewhere().forEach(elsewhere::set);
    for (int file = 0; file < manifest.files().size(); file++) {
      SetFile one = manifest.files().get(file);
      int first = blocks.firstOf(file);
      int count = blocks.firstOf(file + 1) - first;
      Path path = base.resolve(one.path());
      if (places.isEmpty()) {
        parts.add(
            new Part(path, path, false, one.length(), 0, one.length(), 0, i -> first + i, ""));
        continue;
      }
      parts.add(
          part(
              renamed.getOrDefault(file, path),
              path,
              0,
              one.length(),
              count,
              i -> first + i,
              link(base, one)));
    }
    for (int volume = 0; volume < shape.volumes(); volume++) {
      int number = volume;
      Path path = folder.volumes().get(volume).path();
      parts.add(
          part(
              path,
              path,
              folder.parityAt(),
              folder.bytesOf(volume),
              shape.rowsOf(volume) * shape.generations(),
              i -> parityBlock(number, i),
              ""));
    }
    long total = parts.stream().mapToLong(part -> (long) part.count * k).sum();
    this.progress = new ProgressSum(total, listener);
    Engine.hashing().expect(total);
  }

  /** Returns the number in the set of block i of a volume. */
  private int parityBlock(int volume, int i) {
    int row = volume + i / shape.generations() * shape.volumes();
    return parityBlockOf(i % shape.generations(), row);
  }

  /** Returns the problem of a path that leads over a link; empty if it does not. */
  private static String link(Path base, SetFile file) {
    Path at = base;
    for (Path name : base.getFileSystem().getPath(file.path())) {
      at = at.resolve(name);
      if (Files.isSymbolicLink(at)) {
        return "is a symbolic link: " + at;
      }
    }
    return "";
  }

  private static Part part(
      Path path, Path target, long at, long length, int count, IntUnaryOperator block, String link)
      throws IOException {
    boolean exists = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    String problem = link;
    if (exists && link.isEmpty() && !Files.isRegularFile(path)) {
      problem = "is not a regular file";
    } else if (exists && link.isEmpty() && !Files.isReadable(path)) {
      problem = FileProblem.DENIED;
    }
    long found = exists && problem.isEmpty() ? Files.size(path) : 0;
    return new Part(path, target, !exists, found, at, length, count, block, problem);
  }

  /**
   * Scans a layer.
   *
   * @param places where its files are; empty if only the volumes are scanned
   * @param others the places of the files of other layers
   * @param threads the number of threads, ≥ 1
   * @throws NoFilesException if all files are missing, and that is taken for a wrong base
   * @throws IOException if attributes cannot be read; blocks that cannot be read are lost
   */
  static DamageScan of(
      ParityLayer folder,
      Optional<SetPlaces> places,
      Set<Path> others,
      int threads,
      ProgressListener listener)
      throws IOException, InterruptedException {
    DamageScan scan = new DamageScan(folder, places, others, listener);
    int bytes = runBytes(scan.shape.blockSize());
    List<Slot> slots = new ArrayList<>();
    try (Arena arena = new CountedArena()) {
      for (int thread = 0; thread < threads; thread++) {
        slots.add(scan.new Slot(arena, bytes));
      }
      new Pipeline<Slot, IOException>("verify", slots)
          .inOrder("claim", scan::claim)
          .anyOrder("read", Slot::scan)
          .run();
    } finally {
      for (Slot slot : slots) {
        slot.file.close();
      }
    }
    if (scan.lost.stream().anyMatch(scan::isNeeded)) {
      scan.moved = BlockSearch.of(scan, threads);
      scan.lost.stream().filter(scan.moved::has).forEach(scan.lost::clear);
    }
    return scan;
  }

  /** Returns the bytes that a thread reads at a time. */
  private static int runBytes(int blockSize) {
    long blocks = Math.min((long) RUN_BLOCKS * blockSize, MAX_RUN_BYTES);
    return (int) Math.max(Math.max(RUN_BYTES, blocks), blockSize);
  }

  private long claim(Slot slot) {
    while (claimedPart < parts.size() && claimedBlock == parts.get(claimedPart).count) {
      claimedPart++;
      claimedBlock = 0;
    }
    if (claimedPart == parts.size()) {
      return Stage.END;
    }
    slot.part = claimedPart;
    slot.first = claimedBlock;
    Part part = parts.get(claimedPart);
    slot.count = Math.min(slot.capacity(), part.count - claimedBlock);
    claimedBlock += slot.count;
    return 0;
  }

  private boolean isIntact(int number, Sha256 leaf) {
    return number < blocks.count()
        ? manifest.isPiece(number, leaf)
        : manifest.hash(hashOf(number)).equals(leaf);
  }

  /** Returns the number of the hash of a parity block. */
  int hashOf(int parity) {
    return parity - blocks.count() + manifest.sourceBlocks();
  }

  /** Returns the bytes of a block that its file stores. */
  private int storedBytes(int block) {
    return block < blocks.count() ? blocks.bytesOf(block) : shape.blockSize();
  }

  /** A thread's memory, and the file that it read last. */
  private final class Slot {
    private final Arena arena;
    private final int bytes;
    private final HashTree tree = new HashTree();
    private final KeptFile file = new KeptFile(OpenFile::read);
    private int part;
    private int first;
    private int count;

    /** Allocated by the thread that uses it: clearing it takes longer than hashing as much. */
    private MemorySegment memory = MemorySegment.NULL;

    Slot(Arena arena, int bytes) {
      this.arena = arena;
      this.bytes = bytes;
    }

    int capacity() {
      return bytes / shape.blockSize();
    }

    long scan() throws IOException {
      if (memory.byteSize() == 0) {
        memory = arena.allocate(bytes, Long.BYTES);
      }
      Part scanned = parts.get(part);
      BitSet damaged = new BitSet();
      if (scanned.found <= scanned.at) {
        for (int i = first; i < first + count; i++) {
          damaged.set(scanned.block.applyAsInt(i));
        }
      } else {
        scan(scanned, first, count, damaged);
      }
      long scannedBytes = (long) count * shape.blockSize();
      synchronized (lost) {
        lost.or(damaged);
      }
      progress.add(scannedBytes);
      return scannedBytes;
    }

    /** Adds the first byte of a block that cannot be read. */
    private void addUnreadable(Part scanned, long at) throws IOException {
      long first = at;
      long end = at + shape.blockSize();
      try {
        for (; first < end; first += PAGE_BYTES) {
          long bytes = Math.min(PAGE_BYTES, end - first);
          file.of(scanned.path).read(memory.asSlice(0, bytes), first);
        }
        return; // Readable now.
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException _) {
        synchronized (lost) {
          unreadable.merge(part, first, Math::min);
        }
      }
    }

    /** Scans blocks; if they cannot be read together, one by one. */
    private void scan(Part scanned, int from, int blocksRead, BitSet damaged) throws IOException {
      int k = shape.blockSize();
      long read;
      try {
        MemorySegment target = memory.asSlice(0, (long) blocksRead * k);
        read = file.of(scanned.path).read(target, scanned.at + (long) from * k);
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        if (blocksRead == 1) {
          damaged.set(scanned.block.applyAsInt(from));
          addUnreadable(scanned, scanned.at + (long) from * k);
        } else {
          for (int i = 0; i < blocksRead; i++) {
            scan(scanned, from + i, 1, damaged);
          }
        }
        return;
      }
      for (int i = 0; i < blocksRead; i++) {
        int stored = storedBytes(scanned.block.applyAsInt(from + i));
        if (stored < k) {
          memory.asSlice((long) i * k + stored, k - stored).fill((byte) 0);
        }
      }
      List<Sha256> hashes = tree.leaves(memory.asSlice(0, (long) blocksRead * k), k);
      for (int i = 0; i < blocksRead; i++) {
        int block = scanned.block.applyAsInt(from + i);
        if (read - (long) i * k < storedBytes(block) || !isIntact(block, hashes.get(i))) {
          damaged.set(block);
        }
      }
    }
  }

  /** Returns the volumes and the manifest. */
  ParityLayer folder() {
    return folder;
  }

  /** Returns the places of the source blocks. */
  SourceBlocks blocks() {
    return blocks;
  }

  /** Returns the place of a file, or that of a renamed one, or that of a file of no set. */
  Path pathOf(int file) {
    return file < parts.size() ? parts.get(file).path : others.get(file - parts.size()).path;
  }

  /** Returns the numbers of files that are no part of the set, and may have blocks of it. */
  IntStream otherFiles() {
    return IntStream.range(parts.size(), parts.size() + others.size());
  }

  /**
   * Renames a file that was found under another name to its name in the set. Removes the folders
   * that become empty, which were renamed too.
   */
  void moveBack(int file) throws IOException {
    Path from = pathOf(file);
    Path target = targetOf(file);
    Files.move(from, target);
    Path folder = from.getParent();
    while (folder != null && isEmptyAndNotOfSet(folder)) {
      Files.delete(folder);
      folder = folder.getParent();
    }
  }

  private boolean isEmptyAndNotOfSet(Path folder) throws IOException {
    if (!folder.startsWith(base)
        || parts.stream().anyMatch(part -> part.target.startsWith(folder))) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      return !files.iterator().hasNext();
    }
  }

  /** Returns true if a file is part of the set. */
  boolean isOfSet(int file) {
    return file < manifest.files().size();
  }

  /** Returns true if a missing file was found in a further folder, where it is left. */
  boolean isElsewhere(int file) {
    return elsewhere.get(file);
  }

  /** Returns the place that a file must have. */
  Path targetOf(int file) {
    return parts.get(file).target;
  }

  /** Returns the time and the mode that a file had when it was protected. */
  SavedMetadata stampOf(int file) {
    SetFile one = manifest.files().get(file);
    return new SavedMetadata(
        one.modifiedNs() == SetFile.UNKNOWN_TIME
            ? OptionalLong.empty()
            : OptionalLong.of(one.modifiedNs()),
        one.mode() == SetFile.UNKNOWN_MODE ? OptionalInt.empty() : OptionalInt.of(one.mode()));
  }

  /** Returns true if a piece of a source block is lost. */
  boolean isLostBlock(int block) {
    int end = manifest.layout().firstPiece(block + 1);
    int next = lost.nextSetBit(manifest.layout().firstPiece(block));
    return next >= 0 && next < end;
  }

  /** Returns true if a piece is of a file that counts. */
  private boolean isNeeded(int piece) {
    return piece < blocks.count() && !folder.retired().get(blocks.fileOf(piece));
  }

  /** Returns true if a piece of a source block is lost, and of a file that counts. */
  private boolean isNeededBlock(int block) {
    return IntStream.range(
            manifest.layout().firstPiece(block), manifest.layout().firstPiece(block + 1))
        .anyMatch(piece -> lost.get(piece) && isNeeded(piece));
  }

  /** Returns true if a piece or a parity block is lost. */
  boolean isLost(int block) {
    return lost.get(block);
  }

  /** Returns the bytes of a file, which may be another number than it must have. */
  long foundBytes(int file) {
    return file < parts.size() ? parts.get(file).found : others.get(file - parts.size()).bytes;
  }

  /** Returns the source blocks that were found at other places. */
  MovedBlocks moved() {
    return moved;
  }

  /**
   * Returns the files to be written anew: those with moved blocks, and those these lie in. Blocks
   * that are equal to intact ones are written in place.
   */
  BitSet rewrittenFiles() {
    BitSet files = new BitSet();
    for (int block = 0; block < blocks.count(); block++) {
      if (moved.isElsewhere(block)) {
        files.set(blocks.fileOf(block));
        if (isOfSet(moved.fileOf(block))) {
          files.set(moved.fileOf(block));
        }
      }
    }
    return files;
  }

  /** Returns the files that were found under other names, with all of their blocks in place. */
  int[] wholeRenamedFiles() {
    return IntStream.range(0, manifest.files().size())
        .filter(file -> !pathOf(file).equals(targetOf(file)) && parts.get(file).problem.isEmpty())
        .filter(file -> !isElsewhere(file))
        .filter(file ->
            IntStream.range(blocks.firstOf(file), blocks.firstOf(file + 1))
                .noneMatch(block -> lost.get(block) || moved.has(block)))
        .toArray();
  }

  /** Returns the source block of a generation in a row; −1 if it is a block of zeros. */
  int sourceBlock(int generation, int row) {
    int block = row * shape.generations() + generation;
    return block < manifest.sourceBlocks() ? block : -1;
  }

  /** Returns the number of a parity block of a generation, after all pieces. */
  int parityBlockOf(int generation, int row) {
    return blocks.count() + row * shape.generations() + generation;
  }

  /** Returns the lost source blocks of a generation. */
  int lostSources(int generation) {
    int count = 0;
    for (int row = 0; row < shape.blocks(); row++) {
      int block = sourceBlock(generation, row);
      count += block >= 0 && isLostBlock(block) ? 1 : 0;
    }
    return count;
  }

  /** Returns the lost source blocks of a generation that files that count have. */
  private int neededSources(int generation) {
    int count = 0;
    for (int row = 0; row < shape.blocks(); row++) {
      int block = sourceBlock(generation, row);
      count += block >= 0 && isLostBlock(block) && isNeededBlock(block) ? 1 : 0;
    }
    return count;
  }

  /** Returns the lost parity blocks of a generation. */
  int lostParity(int generation) {
    int count = 0;
    for (int row = 0; row < shape.parity(); row++) {
      count += lost.get(parityBlockOf(generation, row)) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns the intact parity blocks beyond the lost source blocks; negative if too few. Where they
   * are too few for all, equal blocks count once, and blocks of one value not at all.
   */
  int spare(int generation) {
    return isShort(generation)
        ? known.spare(generation)
        : shape.parity() - lostParity(generation) - lostSources(generation);
  }

  /** Returns whether a generation has lost more source blocks than it has intact parity. */
  boolean isShort(int generation) {
    return lostSources(generation) > shape.parity() - lostParity(generation);
  }

  /** Returns what the hashes say about the lost source blocks. */
  KnownBlocks known() {
    return known;
  }

  /** Returns the generations that have lost blocks and can be restored. */
  int[] restorable() {
    return IntStream.range(0, shape.generations())
        .filter(generation -> {
          int sources = lostSources(generation);
          boolean isDamaged = neededSources(generation) + lostParity(generation) > 0;
          return isDamaged && (sources == 0 || spare(generation) >= 0);
        })
        .toArray();
  }

  /** Returns the files in the folders of the layer that are not part of it, as they are shown. */
  List<String> added() {
    return added.stream().map(this::shown).toList();
  }

  /** Returns the state of the layer. */
  LayerReport report() {
    BitSet lostGenerations = new BitSet();
    int spare = shape.parity();
    int needed = 0;
    int used = 0;
    int unrestorableParity = 0;
    for (int generation = 0; generation < shape.generations(); generation++) {
      int own = spare(generation);
      spare = Math.min(spare, own);
      int sources = lostSources(generation);
      int neededSources = sources == 0 ? 0 : neededSources(generation);
      used = Math.max(used, sources - neededSources);
      // Parity alone is computed again from the source blocks.
      if (own < 0 && neededSources > 0) {
        lostGenerations.set(generation);
        needed -= own;
      }
      unrestorableParity += own < 0 && sources > 0 ? lostParity(generation) : 0;
    }
    List<Damage> files = new ArrayList<>();
    List<Damage> volumes = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      int volume = part - manifest.files().size();
      BitSet pages = volume < 0 ? new BitSet() : folder.volumes().get(volume).damagedPages();
      Damage damage = damage(part, pages, lostGenerations);
      Part own = parts.get(part);
      if (volume < 0 && folder.retired().get(part)) {
        continue;
      }
      boolean isDamaged =
          own.isMissing
              || own.found != own.length
              || damage.lost() > 0
              || damage.moved() > 0
              || !pages.isEmpty()
              || !damage.foundAs().isEmpty()
              || !own.problem.isEmpty();
      if (isDamaged) {
        (volume < 0 ? files : volumes).add(damage);
      }
    }
    int lostSources =
        (int) IntStream.range(0, manifest.sourceBlocks()).filter(this::isNeededBlock).count();
    return new LayerReport(
        manifest,
        folder.retired().cardinality(),
        folder.liveBytes(),
        files,
        volumes,
        lostSources,
        lost.get(blocks.count(), Math.max(blocks.count(), lost.length())).cardinality(),
        unrestorableParity,
        lostGenerations.cardinality(),
        needed,
        spare,
        used);
  }

  private Damage damage(int number, BitSet pages, BitSet lostGenerations) {
    Part part = parts.get(number);
    int lostBlocks = 0;
    int unrestorable = 0;
    int movedBlocks = 0;
    List<Damage.Range> ranges = new ArrayList<>();
    List<Damage.Shift> shifts = new ArrayList<>();
    for (int i = 0; i < part.count; i++) {
      int block = part.block.applyAsInt(i);
      if (lost.get(block)) {
        lostBlocks++;
        unrestorable += lostGenerations.get(generationOf(block)) ? 1 : 0;
        long from = part.at + (long) i * shape.blockSize();
        extend(ranges, from, Math.min(part.length, from + shape.blockSize()));
      } else if (moved.has(block)) {
        movedBlocks++;
        extend(shifts, shift(block));
      }
    }
    String name =
        number < manifest.files().size()
            ? manifest.files().get(number).path()
            : String.valueOf(part.path.getFileName());
    return new Damage(
        name,
        part.isMissing,
        part.length,
        part.found,
        part.count,
        lostBlocks,
        unrestorable,
        movedBlocks,
        pages.cardinality(),
        ranges,
        shifts,
        foundAs(part),
        unreadable.containsKey(number)
            ? OptionalLong.of(unreadable.get(number))
            : OptionalLong.empty(),
        part.problem);
  }

  /** Returns the name of a renamed file: without folder if it is in its own. */
  private String foundAs(Part part) {
    if (part.path.equals(part.target)) {
      return "";
    }
    return part.path.resolveSibling(String.valueOf(part.target.getFileName())).equals(part.target)
        ? String.valueOf(part.path.getFileName())
        : shown(part.path);
  }

  /** Returns a path as it is shown: from the base if it is there. */
  private String shown(Path path) {
    return (path.startsWith(base) ? base.relativize(path) : path).toString();
  }

  private static void extend(List<Damage.Range> ranges, long from, long to) {
    if (!ranges.isEmpty() && ranges.getLast().to() == from) {
      ranges.set(ranges.size() - 1, new Damage.Range(ranges.getLast().from(), to));
    } else if (ranges.size() < Damage.MAX_RANGES) {
      ranges.add(new Damage.Range(from, to));
    }
  }

  /** Returns the place at which a moved block was found. */
  private Damage.Shift shift(int block) {
    long from = blocks.offsetOf(block);
    int file = moved.fileOf(block);
    return new Damage.Shift(
        from,
        from + blocks.bytesOf(block),
        moved.offsetOf(block) - from,
        file == blocks.fileOf(block) && !moved.isEqual(block)
            ? ""
            : isOfSet(file) ? manifest.files().get(file).path() : shown(pathOf(file)));
  }

  private static void extend(List<Damage.Shift> shifts, Damage.Shift next) {
    Damage.Shift last = shifts.isEmpty() ? next : shifts.getLast();
    if (last.to() == next.from() && last.by() == next.by() && last.in().equals(next.in())) {
      shifts.set(shifts.size() - 1, new Damage.Shift(last.from(), next.to(), next.by(), next.in()));
    } else if (shifts.size() < Damage.MAX_RANGES) {
      shifts.add(next);
    }
  }

  /** Returns the generation of a piece or a parity block. */
  private int generationOf(int block) {
    int pieces = blocks.count();
    int number = block < pieces ? manifest.layout().blockOf(block) : block - pieces;
    return number % shape.generations();
  }
}
