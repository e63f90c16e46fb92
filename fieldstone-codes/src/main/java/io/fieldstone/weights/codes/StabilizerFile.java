package io.fieldstone.weights.codes;

import java.nio.charset.StandardCharsets;

/**
 * Parses the generators of a stabilizer code from the bytes of a file: Pauli operators as {@link
 * PauliText}, if the first line starts like one, or a matrix (X|Z) in a format of {@link
 * MatrixFile}.
 */
public final class StabilizerFile {

  private StabilizerFile() {}

  /**
   * Parses generators.
   *
   * @param source the name of the source in messages, such as the file
   * @param maxQubits the maximum number of qubits
   * @throws MalformedMatrixException if the bytes are neither, the columns of a matrix are an odd
   *     number, or two generators do not commute
   */
  public static StabilizerCode parse(String source, byte[] bytes, int maxQubits)
      throws MalformedMatrixException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      return StabilizerCode.of(
          PauliText.isPaulis(text) && !NumpyArchive.isArchive(bytes)
              ? PauliText.parse(source, text, maxQubits)
              : MatrixFile.parse(source, bytes, 2 * maxQubits));
    } catch (IllegalArgumentException e) {
      throw new MalformedMatrixException(source, String.valueOf(e.getMessage()));
    }
  }
}
