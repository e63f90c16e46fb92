package io.fieldstone.sort;

import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a {@link FileSorter} does.
 *
 * @param memory the maximum bytes for records and for sorting them
 * @param scratchDirectory the directory of scratch files, if it is not that of the result
 * @param verifies whether the result is read and checked
 * @param phases receives phases
 * @param isDistinct whether only the first record of each key is kept
 * @param most the maximum number of records of the result
 * @param isOrder whether the result is the sorting permutation
 * @param isNpyInput whether inputs are {@code .npy} files
 * @param isNpyOutput whether the result is a {@code .npy} file
 */
record FileSortOptions(
    long memory,
    Optional<Path> scratchDirectory,
    boolean verifies,
    PhaseListener phases,
    boolean isDistinct,
    long most,
    boolean isOrder,
    boolean isNpyInput,
    boolean isNpyOutput) {

  FileSortOptions {
    if (memory < 0) {
      throw new IllegalArgumentException("memory of %d bytes is less than 0".formatted(memory));
    }
    if (most < 0) {
      throw new IllegalArgumentException("%d records are fewer than 0".formatted(most));
    }
    if (isOrder && (verifies || isDistinct)) {
      throw new IllegalArgumentException(
          "the sorting permutation is neither verified nor restricted to distinct keys");
    }
  }

  FileSortOptions(long memory) {
    this(
        memory,
        Optional.empty(),
        false,
        PhaseListener.NONE,
        false,
        Long.MAX_VALUE,
        false,
        false,
        false);
  }

  /** Returns the directory of scratch files of a job. */
  Path scratchDirectory(Path output) throws IOException {
    return scratchDirectory.isPresent() ? scratchDirectory.get() : Temporaries.directoryOf(output);
  }

  FileSortOptions withScratchIn(Path directory) {
    return new FileSortOptions(
        memory,
        Optional.of(directory),
        verifies,
        phases,
        isDistinct,
        most,
        isOrder,
        isNpyInput,
        isNpyOutput);
  }

  FileSortOptions verifying() {
    return new FileSortOptions(
        memory, scratchDirectory, true, phases, isDistinct, most, isOrder, isNpyInput, isNpyOutput);
  }

  FileSortOptions withPhases(PhaseListener listener) {
    return new FileSortOptions(
        memory,
        scratchDirectory,
        verifies,
        listener,
        isDistinct,
        most,
        isOrder,
        isNpyInput,
        isNpyOutput);
  }

  FileSortOptions distinct() {
    return new FileSortOptions(
        memory, scratchDirectory, verifies, phases, true, most, isOrder, isNpyInput, isNpyOutput);
  }

  FileSortOptions first(long records) {
    return new FileSortOptions(
        memory,
        scratchDirectory,
        verifies,
        phases,
        isDistinct,
        records,
        isOrder,
        isNpyInput,
        isNpyOutput);
  }

  FileSortOptions ordering() {
    return new FileSortOptions(
        memory,
        scratchDirectory,
        verifies,
        phases,
        isDistinct,
        most,
        true,
        isNpyInput,
        isNpyOutput);
  }

  FileSortOptions withNpyInput() {
    return new FileSortOptions(
        memory, scratchDirectory, verifies, phases, isDistinct, most, isOrder, true, isNpyOutput);
  }

  FileSortOptions withNpyOutput() {
    return new FileSortOptions(
        memory, scratchDirectory, verifies, phases, isDistinct, most, isOrder, isNpyInput, true);
  }
}
