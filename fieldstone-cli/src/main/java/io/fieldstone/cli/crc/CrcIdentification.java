package io.fieldstone.cli.crc;

import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the CRC of the catalogue that the lines of a list have, from a few files: those that are
 * not large, which are read whole.
 */
final class CrcIdentification {

  private static final int MAX_FILES = 3;
  private static final long MAX_BYTES = 16 << 20;
  private static final int BITS_PER_DIGIT = 4;

  /** Any untagged line, whose checksum may have any number of digits. */
  private static final Pattern LINE =
      Pattern.compile("[ \\t]*([0-9a-fA-F]{1,32})[ \\t]+[*]?(\\S.*)", Pattern.DOTALL);

  /** A file that is read, and its checksum in the list. */
  private record Sample(MemorySegment content, String checksum) {}

  private final List<Sample> samples = new ArrayList<>();

  /** Adds a line of a list, unless there are enough, or its file cannot be read. */
  void add(String checksum, Path file) {
    if (samples.size() < MAX_FILES) {
      try {
        if (Files.isRegularFile(file) && Files.size(file) <= MAX_BYTES) {
          samples.add(
              new Sample(
                  MemorySegment.ofArray(Files.readAllBytes(file)),
                  checksum.toLowerCase(Locale.ROOT)));
        }
      } catch (IOException e) {
        // The check reports that it cannot be read.
      }
    }
  }

  /** Adds the files of lines that have checksums of any width. */
  void addLines(String text, ListedFiles files, Optional<Path> base) {
    for (String line : text.split("\r?\n", -1)) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && samples.size() < MAX_FILES) {
        CrcLine.path(matcher.group(2))
            .ifPresent(name -> add(matcher.group(1), files.find(name, base)));
      }
    }
  }

  /** Returns the CRCs with which all files agree. */
  List<CrcModel> models() {
    if (samples.isEmpty()) {
      return List.of();
    }
    return CrcCatalogue.entries().stream()
        .map(CrcCatalogue.Entry::model)
        .filter(model -> samples.stream().allMatch(sample -> agrees(model, sample)))
        .toList();
  }

  private static boolean agrees(CrcModel model, Sample sample) {
    return Math.ceilDiv(model.width(), BITS_PER_DIGIT) == sample.checksum.length()
        && Crc.of(model).hash(sample.content).toString().equals(sample.checksum);
  }
}
