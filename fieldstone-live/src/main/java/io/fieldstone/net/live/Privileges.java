package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Gives up the rights of root on Linux, once what needs them is open. */
public final class Privileges {

  private static final Path USERS = Path.of("/etc/passwd");
  private static final int UID_AT = 2;
  private static final int GID_AT = 3;

  private Privileges() {}

  /**
   * Goes on as another user, without supplementary groups. All threads of the process change.
   *
   * @param user the name of a user of this host
   * @throws IOException if there is no such user, or this process may not become it
   */
  public static void drop(String user) throws IOException {
    List<String> lines = Files.readAllLines(USERS, StandardCharsets.ISO_8859_1);
    String[] entry =
        lines.stream()
            .map(line -> line.split(":", -1))
            .filter(each -> each.length > GID_AT && each[0].equals(user))
            .findFirst()
            .orElseThrow(() -> new IOException("no such user: " + user));
    int uid = Integer.parseInt(entry[UID_AT]);
    int gid = Integer.parseInt(entry[GID_AT]);
    if (dropGroups() != 0 || set("setgid", gid) != 0 || set("setuid", uid) != 0) {
      throw new IOException("cannot go on as user " + user + ": not permitted");
    }
  }

  private static int dropGroups() {
    MethodHandle setgroups =
        handle(
            "setgroups",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    try {
      return (int) setgroups.invokeExact(0L, MemorySegment.NULL);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static int set(String name, int id) {
    MethodHandle function =
        handle(name, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    try {
      return (int) function.invokeExact(id);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle handle(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }
}
