package io.fieldstone.crc.identification;

import io.fieldstone.field.Gf2Matrix;
import java.util.List;

/** What samples say of the function that made their checksums. */
public sealed interface Finding {

  /**
   * A CRC explains the samples.
   *
   * @param models one for each polynomial and placement that explains them, the best first
   * @param outliers the numbers of the samples that the first model does not explain, ascending
   */
  record Found(List<FoundModel> models, List<Integer> outliers) implements Finding {
    public Found {
      models = List.copyOf(models);
      outliers = List.copyOf(outliers);
    }

    /** Returns the first model. */
    public FoundModel best() {
      return models.getFirst();
    }
  }

  /**
   * No CRC explains the samples, but their checksums are an affine function of the messages over
   * GF(2).
   *
   * @param matrix a row for each bit of the checksum, from the most significant; a column for each
   *     bit of the message in its order, and a last column of constants
   * @param isComplete true if the samples decide all columns; else others are 0
   * @param confirmations the number of samples that confirm the matrix beyond those that decide it
   */
  record Affine(Gf2Matrix matrix, boolean isComplete, int confirmations) implements Finding {}

  /**
   * The checksums are not an affine function of the messages over GF(2), so no CRC: the messages of
   * some samples add up to those of others, but their checksums do not.
   *
   * @param first the numbers of the samples on one side; two where two pairs show it
   * @param second the numbers of the samples on the other side
   */
  record NotAffine(List<Integer> first, List<Integer> second) implements Finding {
    public NotAffine {
      first = List.copyOf(first);
      second = List.copyOf(second);
    }
  }

  /**
   * The samples decide nothing.
   *
   * @param reason a sentence without a capital and a full stop
   * @param missing the number of samples of equal length that would decide; 0 if that is not the
   *     reason
   */
  record Undecided(String reason, int missing) implements Finding {}
}
