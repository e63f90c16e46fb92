package io.fieldstone.rlnc.backup;

import java.nio.file.Path;
import java.util.List;

/**
 * Where the files of a set are searched for. A file that is not at its place is searched by its
 * content: in the folders of the set, in the whole base if one of these is missing, and in further
 * folders.
 *
 * @param base the folder that the paths of the set start from
 * @param also further folders to search for moved files, which are only read
 * @param mayBeEmpty whether all files may be missing; else that is taken for a wrong base
 */
public record SetPlaces(Path base, List<Path> also, boolean mayBeEmpty) {

  public SetPlaces {
    also = List.copyOf(also);
  }

  /** Returns a base without further folders, where all files may be missing. */
  public static SetPlaces of(Path base) {
    return new SetPlaces(base, List.of(), true);
  }
}
