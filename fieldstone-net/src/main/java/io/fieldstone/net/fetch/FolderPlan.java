package io.fieldstone.net.fetch;

import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** The files that names mean, among those that servers have, and where each goes in a folder. */
final class FolderPlan {

  /** The end of a name that means all files of a folder. */
  static final String FOLDER = "/";

  private FolderPlan() {}

  /**
   * A file to fetch.
   *
   * @param query what servers are asked for: the name, or the id if that was given
   * @param name its name
   * @param path its path in the folder, with {@code /} between its parts
   * @param length its bytes as servers state them
   * @param ids the objects of this name, several if servers disagree
   */
  record Item(String query, String name, String path, long length, TreeSet<Sha256> ids) {}

  /**
   * Chooses the files of names: {@code photos/} means all files whose names begin so, which go
   * below the folder without this beginning; {@code /} means all; other names and ids mean one
   * file, which goes into the folder itself.
   *
   * @throws FetchFailedException if a name means no file, or two files have the same place
   */
  static List<Item> of(List<String> queries, List<ListedObject> listed)
      throws FetchFailedException {
    Map<String, Item> byPath = new LinkedHashMap<>();
    for (String query : queries) {
      List<Item> found =
          query.endsWith(FOLDER) ? folder(query, listed) : List.of(file(query, listed));
      for (Item item : found) {
        Item other = byPath.putIfAbsent(item.path, item);
        if (other != null && !other.name.equals(item.name)) {
          throw new FetchFailedException(
              "'%s' and '%s' would both become '%s'; fetch them into two folders"
                  .formatted(other.name, item.name, item.path));
        }
      }
    }
    return List.copyOf(byPath.values());
  }

  /** Returns the listed objects that a name means, as {@link #of} does. */
  static List<ListedObject> matching(String query, List<ListedObject> listed) {
    if (query.endsWith(FOLDER)) {
      String prefix = prefix(query);
      return listed.stream().filter(each -> each.name().startsWith(prefix)).toList();
    }
    List<ListedObject> named = listed.stream().filter(each -> each.name().equals(query)).toList();
    String digits = query.toLowerCase(Locale.ROOT);
    if (!named.isEmpty() || digits.length() < Catalogue.MIN_ID_DIGITS) {
      return named;
    }
    return listed.stream().filter(each -> each.id().toString().startsWith(digits)).toList();
  }

  private static String prefix(String query) {
    return query.equals(FOLDER) || query.equals("./") ? "" : query;
  }

  private static List<Item> folder(String query, List<ListedObject> listed)
      throws FetchFailedException {
    int start = prefix(query).length();
    Map<String, Item> byName = new LinkedHashMap<>();
    for (ListedObject each : matching(query, listed)) {
      String name = each.name();
      add(byName, name, name, name.substring(start), each);
    }
    if (byName.isEmpty()) {
      throw new FetchFailedException("no server has files in '" + query + "'");
    }
    return new ArrayList<>(byName.values());
  }

  private static Item file(String query, List<ListedObject> listed) throws FetchFailedException {
    Map<String, Item> byName = new LinkedHashMap<>();
    for (ListedObject each : matching(query, listed)) {
      String name = each.name();
      add(byName, query, name, name.substring(name.lastIndexOf('/') + 1), each);
    }
    if (byName.isEmpty()) {
      throw new FetchFailedException("no server has '" + query + "'");
    }
    return byName.values().iterator().next(); // equal files of several names have one id
  }

  private static void add(
      Map<String, Item> byName, String query, String name, String path, ListedObject listed) {
    Item before = byName.get(name);
    long length = before == null ? listed.length() : Math.max(before.length, listed.length());
    TreeSet<Sha256> ids = before == null ? new TreeSet<>() : before.ids;
    ids.add(listed.id());
    byName.put(name, new Item(query, name, path, length, ids));
  }
}
