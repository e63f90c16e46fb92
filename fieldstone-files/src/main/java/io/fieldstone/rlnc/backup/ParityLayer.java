package io.fieldstone.rlnc.backup;

import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetLayer;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A layer of a set as it was found: what one run of protect has written.
 *
 * @param manifest the layer
 * @param volumes by number
 * @param retired the files that do not count any more, by their number; not copied
 */
record ParityLayer(SetManifest manifest, List<Volume> volumes, BitSet retired) {

  static final String SUFFIX = ".fsp";

  private static final Pattern UPDATE = Pattern.compile("parity\\.u([0-9]{1,9})\\..*");

  /** Returns the name of a volume. */
  static String name(int update, int volume) {
    return "parity."
        + (update == 0 ? "" : "u" + update + ".")
        + (volume < 10 ? "0" : "")
        + volume
        + SUFFIX;
  }

  /** Returns the number of the update in the name of a volume; 0 without one. */
  static int updateOf(String name) {
    Matcher matcher = UPDATE.matcher(name);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /** Returns the offset of the parity in each volume. */
  long parityAt() {
    return parityAt(manifest.shape(), manifest.update(), manifest.earlier(), manifest.files());
  }

  /** Returns the offset of the parity in each volume of a layer. */
  static long parityAt(SetShape shape, int update, List<SetLayer> earlier, List<SetFile> files) {
    long bytes =
        update == 0
            ? SetManifest.byteSize(shape, files)
            : SetManifest.byteSize(shape, earlier, files);
    return (long) ManifestPage.pagesOf(bytes) * ManifestPage.BYTES;
  }

  /** Returns the bytes of a volume. */
  long bytesOf(int volume) {
    return parityAt() + manifest.shape().parityBytes(volume);
  }

  /** Returns the numbers of the files that count. */
  IntStream live() {
    return IntStream.range(0, manifest.files().size()).filter(file -> !retired.get(file));
  }

  /** Returns the total bytes of the files that count. */
  long liveBytes() {
    return live().mapToLong(file -> manifest.files().get(file).length()).sum();
  }
}
