package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs {@code protect}, {@code verify} and {@code repair} on a file system of 4 MiB that is full or
 * read-only. A user namespace mounts it, so no privileges are needed.
 */
@Execution(ExecutionMode.CONCURRENT)
@EnabledOnOs(OS.LINUX)
class BackupDiskIT {

  /**
   * Mounts the file system at {@code disk}, protects two files there, and defines commands for the
   * steps of a test. {@code fails} requires the exit status 1 of a command; {@code bounded} limits
   * the size of its files. {@code intact} fails if a file or volume is missing or not as it was.
   */
  private static final String PREPARE =
      """
      set -e
      command=$1
      fieldstone() { "$command" "$@"; }
      bounded() { (ulimit -f 100; fieldstone "$@"); }
      fails() { local status=0; "$@" || status=$?; test $status = 1; }
      fill() { cat /dev/zero > fill 2>/dev/null || true; }
      intact() { sha256sum --quiet -c ../sums && test "$(ls parity | wc -l)" = 4; }
      mount -t tmpfs -o size=4m tmpfs disk
      trap 'cd ..; umount disk' EXIT
      cd disk
      mkdir data
      seq 1 200000 > data/a
      seq 300000 320000 > data/b
      fieldstone protect data -o parity --redundancy 0.5 -q
      sha256sum data/* parity/* > ../sums
      """;

  private static final String DAMAGED =
      "fieldstone: 1 file is damaged or missing; 'fieldstone repair' restores all: parity\n";

  @TempDir Path directory;

  private BuiltCommand built;

  @BeforeEach
  void requireNamespaces() throws Exception {
    Files.createDirectory(directory.resolve("disk"));
    built = new BuiltCommand(directory);
    assumeThat(inNamespace("mount -t tmpfs tmpfs disk && umount disk").status())
        .as("user namespaces that may mount")
        .isZero();
  }

  private BuiltCommand.Result inNamespace(String script) throws Exception {
    ProcessBuilder builder = built.inShell(script);
    builder.command().addAll(0, List.of("unshare", "--map-root-user", "--mount"));
    return built.run(builder);
  }

  /** Runs a script that must succeed; returns the messages of its commands. */
  private String messages(String script) throws Exception {
    BuiltCommand.Result result = inNamespace(PREPARE + script);
    assertThat(result.status()).as(result.toString()).isZero();
    return result.err().replace(directory.toRealPath() + "/disk/", "");
  }

  @Test
  void protectLeavesTheOldVolumesOnAFullDisk() throws Exception {
    String messages =
        messages(
            """
            fill
            fails fieldstone protect data -o parity --force
            fails fieldstone protect data -o other
            test ! -e other
            intact
            rm fill
            # The free space is not sufficient, although the disk is not full.
            fails fieldstone protect data -o other --redundancy 1.5
            test ! -e other
            """);
    assertThat(messages.lines())
        .hasSize(3)
        .allMatch(line -> line.matches("fieldstone: \\d+ bytes are needed, \\d+ are free: \\S+"));
  }

  @Test
  void verifyNeedsNoSpace() throws Exception {
    assertThat(
            messages("fill; fieldstone verify parity; rm data/b; fails fieldstone verify parity"))
        .isEqualTo(DAMAGED);
  }

  @Test
  void repairOnAFullDiskHarmsNothingAndMayBeRunAgain() throws Exception {
    String messages =
        messages(
            """
            rm data/b; fill
            fails fieldstone repair parity
            test "$(ls -A data)" = a
            # A file that exists is restored in its place, and would grow.
            rm fill; : > data/b; fill
            fails fieldstone repair parity
            rm fill parity/parity.01.fsp; fill
            fails fieldstone repair parity
            test "$(ls parity | wc -l)" = 3
            rm fill
            fieldstone repair parity -q
            intact
            """);
    assertThat(messages)
        .matches(
            "fieldstone: \\d+ bytes are needed, 0 are free: data\n"
                + "fieldstone: \\d+ bytes are needed, 0 are free: data\n"
                + "fieldstone: \\d+ bytes are needed, 0 are free: data\n");
  }

  @Test
  void onAReadOnlyDiskOnlyVerifySucceeds() throws Exception {
    String messages =
        messages(
            """
            readonly() { mount -o remount,ro "$PWD"; }
            writable() { mount -o remount,rw "$PWD"; }
            readonly
            fails fieldstone protect data -o other
            fails fieldstone protect data -o parity --force
            fails fieldstone key signing -o data/key
            fails fieldstone sort data/a -o ../a --type u32 --allow-text --temp data
            fieldstone verify parity
            writable; rm data/b; readonly
            fails fieldstone verify parity
            fails fieldstone repair parity
            writable; fieldstone repair parity -q
            printf XX | dd of=data/b bs=1 seek=100 conv=notrunc status=none; readonly
            fails fieldstone repair parity
            writable; fieldstone repair parity -q
            intact
            """);
    assertThat(messages)
        .isEqualTo(
            """
            fieldstone: read-only file system: other
            fieldstone: read-only file system: parity
            fieldstone: read-only file system: data
            fieldstone: read-only file system: data
            %sfieldstone: read-only file system: data
            fieldstone: read-only file system: data/b
            """
                .formatted(DAMAGED));
  }

  /** A limit on the size of files ends writing after the check of free space. */
  @Test
  void aVolumeThatCannotGrowLeavesNothing() throws Exception {
    String messages =
        messages(
            """
            fails bounded protect data -o other --redundancy 0.5
            test ! -e other || test -z "$(ls -A other)"
            fails bounded protect data -o parity --redundancy 0.5 --force
            intact
            rm data/b
            fails bounded repair parity
            test "$(ls -A data)" = a
            """);
    assertThat(messages.lines())
        .hasSize(3)
        .allMatch(line -> line.matches("fieldstone: file too large: (other|parity|data/b)\\S*"));
  }
}
