package io.fieldstone.spark.coding;

import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.storage.Staging;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;

/** The paths of the shards of a job, each with a staging folder. Of the driver. */
final class ShardPaths implements AutoCloseable {

  /** A shard file. */
  record Found(ShardName name, String path) {}

  private final Storage storage;
  private final List<Staging> stagings = new ArrayList<>();
  private final ArrayList<String> roots = new ArrayList<>();
  private final BitSet sharing = new BitSet();

  private ShardPaths(Storage storage) {
    this.storage = storage;
  }

  /**
   * Lists the shards in some paths; one that does not exist has none.
   *
   * @throws JobFailedException if there is no path, or one is given twice
   */
  static List<Found> find(Storage storage, List<String> paths) throws IOException {
    if (paths.isEmpty()) {
      throw new JobFailedException("no path of shards given");
    }
    Set<Path> seen = new HashSet<>();
    List<Found> found = new ArrayList<>();
    for (String name : paths) {
      Path path = storage.path(name);
      if (!seen.add(path)) {
        throw new JobFailedException("given twice: " + path);
      }
      if (storage.exists(path)) {
        for (StoredFile file : storage.list(name)) {
          Optional<ShardName> shard = ShardName.parse(file.relative());
          shard.ifPresent(each -> found.add(new Found(each, file.path())));
        }
      }
    }
    return found;
  }

  /** Creates the paths with staging folders. */
  static ShardPaths open(Storage storage, List<String> paths) throws IOException {
    ShardPaths places = new ShardPaths(storage);
    try {
      for (String name : paths) {
        Path path = storage.path(name);
        places.stagings.add(Staging.in(storage, path));
        places.sharing.set(places.roots.size(), storage.shares(path));
        places.roots.add(path.toString());
      }
      return places;
    } catch (IOException e) {
      places.close();
      throw e;
    }
  }

  ShardAssembly.Paths paths() {
    return new ShardAssembly.Paths(
        roots, new ArrayList<>(stagings.stream().map(Staging::folder).toList()), sharing);
  }

  /**
   * Moves complete shards into place.
   *
   * @param old existing shards, of which those that are not replaced are deleted
   */
  void commit(List<Staging.Move> moves, List<String> old) throws IOException {
    Set<String> targets = new HashSet<>();
    moves.forEach(move -> targets.add(move.to()));
    Staging.commit(storage, moves);
    for (String path : old) {
      if (!targets.contains(path)) {
        storage.delete(new Path(path));
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Staging staging : stagings) {
      staging.close();
    }
  }
}
