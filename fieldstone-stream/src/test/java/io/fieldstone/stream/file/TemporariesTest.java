package io.fieldstone.stream.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs({OS.LINUX, OS.MAC})
class TemporariesTest {

  private static final String DEAD = ".fieldstone-00000000000000aa";

  @TempDir private Path directory;

  private static void write(OpenFile file, String text) throws IOException {
    file.append(new ByteBuffer[] {ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))});
  }

  private static void replace(Path target, String text) throws IOException {
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(target), text);
      temporaries.commit();
    }
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aNewFileHasThePermissionsOfAnyNewFile() throws Exception {
    Path any = Files.createFile(directory.resolve("any"));

    replace(directory.resolve("new"), "text");

    assertThat(mode(directory.resolve("new"))).isEqualTo(mode(any));
    assertThat(directory.resolve("new")).hasContent("text");
    assertThat(names()).containsExactly("any", "new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-------", "rw-rw-rw-", "-w-------", "rwxr-x--x"})
  void aReplacedFileKeepsItsModeWhichItsTemporaryFileHasToo(String mode) throws Exception {
    Path target = file("target", "old");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(mode));
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(target), "new");
      for (String name : names()) {
        String expected = name.endsWith(".journal") ? "rw-------" : mode;
        assertThat(mode(directory.resolve(name))).as(name).isEqualTo(expected);
      }
      assertThat(Files.readString(target)).isEqualTo("old");

      temporaries.commit();
    }

    assertThat(mode(target)).isEqualTo(mode);
    assertThat(Files.readString(target)).isEqualTo("new");
    assertThat(names()).containsExactly("target");
  }

  /** Linux clears the bit at a write by anyone but root, for whom this test does. */
  @Test
  void aReplacedFileKeepsSetUserIdWhichWritingClears() throws Exception {
    Path target = file("target", "old");
    Files.setAttribute(target, "unix:mode", 04755);
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(target), "new");
      for (String name : names()) {
        if (name.endsWith(".tmp")) {
          Files.setAttribute(directory.resolve(name), "unix:mode", 0755);
        }
      }
      temporaries.commit();
    }

    assertThat(Files.getAttribute(target, "unix:mode")).isEqualTo(0104755);
  }

  @Test
  void aReplacedFileKeepsItsOwnerAndGroup() throws Exception {
    Path target = file("target", "old");
    try {
      Files.setAttribute(target, "unix:uid", 4711);
      Files.setAttribute(target, "unix:gid", 4712);
    } catch (FileSystemException e) {
      assumeThat(e).as("only root gives files away").isNull();
    }
    Files.setAttribute(target, "unix:mode", 02640);

    replace(target, "new");

    assertThat(Files.readAttributes(target, "unix:uid,gid,mode"))
        .containsEntry("uid", 4711)
        .containsEntry("gid", 4712)
        .containsEntry("mode", 0102640);
  }

  @Test
  void aFileWithoutWritePermissionIsRejected() throws Exception {
    Path target = file("target", "old");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r--r--r--"));

    assertThatThrownBy(() -> replace(target, "new"))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("target: is read-only");
    assertThatThrownBy(() -> Temporaries.requireWritable(target)).hasMessageContaining("read-only");
    assertThat(target).hasContent("old");
    assertThat(names()).containsExactly("target");
  }

  @Test
  void aLinkStaysAndTheFileThatItLeadsToIsReplaced() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Path target = Files.writeString(elsewhere.resolve("target"), "old");
    Path link = Files.createSymbolicLink(directory.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(directory.resolve("b"), Path.of("elsewhere/../elsewhere/target"));

    replace(link, "new");

    assertThat(link).isSymbolicLink();
    assertThat(target).isRegularFile().hasContent("new");
    assertThat(names()).containsExactly("a", "b", "elsewhere");
  }

  @Test
  void theTargetOfADanglingLinkIsCreated() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("target"));

    replace(link, "new");

    assertThat(link).isSymbolicLink();
    assertThat(directory.resolve("target")).isRegularFile().hasContent("new");
  }

  @Test
  void linksInACircleAreRefused() throws Exception {
    Files.createSymbolicLink(directory.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(directory.resolve("b"), Path.of("a"));

    assertThatThrownBy(() -> replace(directory.resolve("a"), "new"))
        .hasMessageContaining("too many symbolic links");
  }

  @Test
  void oneOfSeveralNamesIsReplacedAlone() throws Exception {
    Path target = file("target", "old");
    Path other = Files.createLink(directory.resolve("other"), target);

    replace(target, "new");

    assertThat(target).hasContent("new");
    assertThat(other).hasContent("old");
  }

  @Test
  void aTargetThatMustBeNewIsLookedForTwice() throws Exception {
    Path target = file("target", "old");
    try (Temporaries temporaries = new Temporaries()) {
      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(() -> temporaries.create(target, false));
      write(temporaries.create(directory.resolve("new"), false), "new");
      file("new", "somebody's");
      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(temporaries::commit)
          .withMessageContaining("new");
    }
    assertThat(directory.resolve("new")).hasContent("somebody's");
    assertThat(names()).containsExactly("new", "target");
  }

  @Test
  void oneFileIsNotTwoOutputs() throws Exception {
    Path target = file("target", "old");
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);
    try (Temporaries temporaries = new Temporaries()) {
      temporaries.create(target);
      assertThatThrownBy(() -> temporaries.create(link))
          .hasMessageContaining("is the same file as " + target);
    }
  }

  @Test
  void filesAreReplacedMadeAndRemovedTogether() throws Exception {
    file("a", "old");
    file("c", "old");
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(directory.resolve("a")), "new");
      write(temporaries.create(directory.resolve("b")), "new");
      temporaries.remove(directory.resolve("c"));
      assertThat(directory.resolve("c")).hasContent("old");
      temporaries.commit();
    }
    assertThat(directory.resolve("a")).hasContent("new");
    assertThat(names()).containsExactly("a", "b");
  }

  /** A directory stands in the way of the third file, from after the first check on. */
  @Test
  void whenOneFileCannotBeReplacedAllStayAsTheyWere() throws Exception {
    file("a", "old");
    file("z", "old");
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(directory.resolve("a")), "new");
      write(temporaries.create(directory.resolve("b")), "new");
      write(temporaries.create(directory.resolve("c")), "new");
      temporaries.remove(directory.resolve("z"));
      Files.createDirectories(directory.resolve("c/inside"));
      assertThatThrownBy(temporaries::commit)
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(directory.resolve("c").toString())
          .hasNoSuppressedExceptions();
    }
    assertThat(directory.resolve("a")).hasContent("old");
    assertThat(directory.resolve("z")).hasContent("old");
    assertThat(names()).containsExactly("a", "c", "z");
  }

  @Test
  void directoriesThatWereMadeGoWithoutACommitAndStayWithOne() throws Exception {
    Path deep = directory.resolve("one/two");
    try (Temporaries temporaries = new Temporaries()) {
      temporaries.createDirectories(deep);
      write(temporaries.create(deep.resolve("file")), "text");
    }
    assertThat(names()).isEmpty();
    try (Temporaries temporaries = new Temporaries()) {
      temporaries.createDirectories(deep);
      write(temporaries.create(deep.resolve("file")), "text");
      temporaries.commit();
    }
    assertThat(deep).isDirectoryContaining("glob:**/file");
    try (Temporaries temporaries = new Temporaries()) {
      temporaries.createDirectories(deep);
      assertThatThrownBy(() -> temporaries.createDirectories(deep.resolve("file/more")))
          .isInstanceOf(NotDirectoryException.class);
    }
    assertThat(deep).isDirectoryContaining("glob:**/file");
  }

  @Test
  void anInterruptedThreadReplacesNoFile() throws Exception {
    Path target = file("target", "old");
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(target), "new");
      Thread.currentThread().interrupt();
      assertThatThrownBy(temporaries::commit).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(target).hasContent("old");
    assertThat(names()).containsExactly("target");
  }

  @Test
  void leftoversOfAKilledProcessAreRemoved() throws Exception {
    file(DEAD + ".journal", "");
    file(DEAD + "-0.tmp", "half");
    file(DEAD + "-12.tmp", "half");
    file(".fieldstone-00000000000000bb.tmp", "a scratch file that was not yet without a name");
    file(".fieldstone-mine.tmp", "of somebody else");
    file(".fieldstone-00000000000000cc.tmpx", "of somebody else");

    replace(directory.resolve("target"), "new");

    assertThat(names())
        .containsExactly(".fieldstone-00000000000000cc.tmpx", ".fieldstone-mine.tmp", "target");
  }

  @Test
  void temporaryFilesOfThisProcessAreNoLeftovers() throws Exception {
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(directory.resolve("one")), "one");
      List<String> before = names();
      Temporaries.recover(directory);
      replace(directory.resolve("two"), "two");
      assertThat(names()).containsAll(before);
      temporaries.commit();
    }
    assertThat(names()).containsExactly("one", "two");
  }

  @Test
  void temporaryFilesOfALivingProcessAreNoLeftovers() throws Exception {
    Path journal = file(DEAD + ".journal", "");
    file(DEAD + "-0.tmp", "half");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Locker.class.getName(),
                journal.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('L');
      replace(directory.resolve("target"), "new");
      assertThat(names()).containsExactly(DEAD + "-0.tmp", DEAD + ".journal", "target");
    } finally {
      other.destroyForcibly();
      assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    replace(directory.resolve("target"), "newer");
    assertThat(names()).containsExactly("target");
  }

  /** Locks a file, says so, and waits to be killed. */
  static final class Locker {
    private Locker() {}

    public static void main(String[] args) throws IOException {
      try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
        channel.lock();
        System.out.print("L");
        System.out.flush();
        System.in.read();
      }
    }
  }

  /**
   * As a process leaves it that is killed after it has replaced a and made b, but not yet c.
   *
   * @param hasLinks whether the file system has hard links
   */
  private void killedWhileReplacing(boolean hasLinks) throws IOException {
    file(DEAD + "-0.tmp", "new a");
    file(DEAD + "-1.tmp", "new b");
    file(DEAD + "-2.tmp", "new c");
    file("a", "old a");
    file("c", "old c");
    file("z", "old z");
    List<Replacement> replacements =
        List.of(
            replacement(0, "a", Optional.of(3)),
            replacement(1, "b", Optional.empty()),
            Replacement.removing(directory.resolve("z"), directory.resolve(DEAD + "-5.tmp")),
            replacement(2, "c", Optional.of(4)));
    try (FileChannel journal =
        FileChannel.open(
            directory.resolve(DEAD + ".journal"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      if (hasLinks) {
        replacements.forEach(replacement -> replacement.keepByLink(directory));
      }
      Journal.write(journal, replacements);
    }
    for (Replacement replacement : replacements.subList(0, 3)) {
      replacement.apply(directory);
    }
  }

  private Replacement replacement(int temporary, String target, Optional<Integer> kept)
      throws IOException {
    return Replacement.of(
        directory.resolve(DEAD + "-" + temporary + ".tmp"),
        directory.resolve(target),
        kept.map(number -> directory.resolve(DEAD + "-" + number + ".tmp")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void filesOfAKilledProcessAreAllPutBack(boolean hasLinks) throws Exception {
    killedWhileReplacing(hasLinks);
    assertThat(directory.resolve("a")).hasContent("new a");
    assertThat(directory.resolve("b")).hasContent("new b");
    assertThat(directory.resolve("z")).doesNotExist();

    Temporaries.recover(directory);

    assertThat(directory.resolve("a")).hasContent("old a");
    assertThat(directory.resolve("c")).hasContent("old c");
    assertThat(directory.resolve("z")).hasContent("old z");
    assertThat(names()).containsExactly("a", "c", "z");
  }

  @Test
  void filesThatSomebodyHasWrittenSinceStay() throws Exception {
    killedWhileReplacing(true);
    file("a", "restored by hand");
    Files.delete(directory.resolve("b"));
    file("b", "restored");

    Temporaries.recover(directory);

    assertThat(directory.resolve("a")).hasContent("restored by hand");
    assertThat(directory.resolve("b")).hasContent("restored");
    assertThat(directory.resolve("c")).hasContent("old c");
    assertThat(names()).containsExactly("a", "b", "c", "z");
  }

  @Test
  void anIncompleteJournalIsIgnored() throws Exception {
    killedWhileReplacing(true);
    Path journal = directory.resolve(DEAD + ".journal");
    byte[] whole = Files.readAllBytes(journal);
    for (int length : new int[] {1, 8, 30, whole.length - 1}) {
      Files.write(journal, Arrays.copyOf(whole, length));
      try (FileChannel channel = FileChannel.open(journal)) {
        assertThat(Journal.read(channel)).as("of %d bytes", length).isEmpty();
      }
    }
    whole[20] ^= 1;
    Files.write(journal, whole);
    try (FileChannel channel = FileChannel.open(journal)) {
      assertThat(Journal.read(channel)).isEmpty();
    }
  }

  /** An archive may bring a journal with it. */
  @Test
  void aJournalThatNamesFilesElsewhereIsNotFollowed() throws Exception {
    Path inside = Files.createDirectory(directory.resolve("inside"));
    Path outside = file("outside", "precious");
    try (FileChannel journal =
        FileChannel.open(
            inside.resolve(DEAD + ".journal"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      long modified = Files.getLastModifiedTime(outside).to(TimeUnit.NANOSECONDS);
      Journal.write(journal, List.of(new Replacement("gone", "../outside", "", 8, modified)));
    }

    Temporaries.recover(inside);

    assertThat(outside).hasContent("precious");
  }

  @Test
  void aStreamGetsTheBytesWithTheCommitAndNoFileHasAName() throws Exception {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (Temporaries temporaries = new Temporaries()) {
      write(temporaries.create(stream, "a stream"), "text");
      assertThat(stream.size()).isZero();
      temporaries.commit();
    }
    assertThat(stream.toString(StandardCharsets.UTF_8)).isEqualTo("text");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void devicesAreWrittenToAndStay() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("/dev/null"));

    replace(link, "text");
    assertThatThrownBy(() -> replace(Path.of("/dev/full"), "text"))
        .hasMessageContaining("/dev/full: ");

    assertThat(link).isSymbolicLink();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    assertThat(names()).containsExactly("link");
  }

  @Test
  void aFifoGetsTheBytes() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Process reader = new ProcessBuilder("cat", fifo.toString()).start();

    replace(fifo, "text");

    assertThat(new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("text");
    assertThat(names()).containsExactly("fifo");
  }

  /** A job may begin again; the reader of a FIFO ends when it is closed. Here, none has begun. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // open(2) waits for ever
  void aFifoIsOpenedOnlyToWriteToIt() throws Exception {
    Path fifo = directory.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();

    try (Temporaries failed = new Temporaries()) {
      write(failed.create(fifo), "half");
    }
    Process reader = new ProcessBuilder("cat", fifo.toString()).start();
    replace(fifo, "text");

    assertThat(new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("text");
  }

  /** Standard output stays open, also if it is redirected to a file. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void openDescriptorsAreWrittenToWhereTheyEnd() throws Exception {
    Path redirected = file("redirected", "before ");
    Process holder =
        new ProcessBuilder("sleep", "600")
            .redirectOutput(ProcessBuilder.Redirect.appendTo(redirected.toFile()))
            .start();
    try {
      Path descriptor = Path.of("/proc", Long.toString(holder.pid()), "fd", "1");
      Path link = Files.createSymbolicLink(directory.resolve("link"), descriptor);
      Object inode = Files.getAttribute(redirected, "unix:ino");

      replace(link, "after");

      assertThat(redirected).hasContent("before after");
      assertThat(Files.getAttribute(redirected, "unix:ino")).isEqualTo(inode);
      assertThat(names()).containsExactly("link", "redirected");
    } finally {
      holder.destroyForcibly();
    }
  }

  @Test
  void errorsNameTheTarget() throws Exception {
    assertThatThrownBy(() -> replace(directory.resolve("missing/file"), "text"))
        .hasMessage(directory.resolve("missing") + ": no such directory");
    assertThatThrownBy(() -> replace(directory, "text")).hasMessage(directory + ": is a directory");
    assertThatThrownBy(() -> Temporaries.requireSpace(directory, Long.MAX_VALUE))
        .hasMessageStartingWith(directory + ": " + Long.MAX_VALUE + " bytes are needed, ");
  }
}
