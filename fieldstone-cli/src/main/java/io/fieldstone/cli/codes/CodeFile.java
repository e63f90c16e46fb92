package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.weights.codes.MalformedMatrixException;
import io.fieldstone.weights.codes.MatrixFile;
import io.fieldstone.weights.codes.PauliText;
import io.fieldstone.weights.codes.StabilizerCode;
import io.fieldstone.weights.codes.StabilizerFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads matrices of codes from files of any format. */
public final class CodeFile {

  static final String JSON = ".json";

  private CodeFile() {}

  /**
   * Reads a matrix. A file that ends in {@value #JSON} has a support for each row; the largest
   * position is the last column.
   *
   * @param maxSize the maximum number of columns, and of rows where their number is given
   * @throws Failure if the file has no matrix
   */
  public static Gf2Matrix matrix(Session session, Path file, int maxSize)
      throws IOException, Failure {
    return matrix(session, file, 1, maxSize);
  }

  /**
   * @param minColumns the number of columns of a list of supports without a greater position
   */
  private static Gf2Matrix matrix(Session session, Path file, int minColumns, int maxSize)
      throws IOException, Failure {
    String name = TextInput.name(file);
    try {
      return InputFiles.hasEnding(file, JSON)
          ? MatrixFile.ofSupports(
              name,
              SupportsJson.parse(name, TextInput.text(session, file), maxSize),
              minColumns,
              maxSize)
          : MatrixFile.parse(name, TextInput.bytes(session, file), maxSize);
    } catch (MalformedMatrixException e) {
      throw new Failure("not a binary matrix", String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Reads two matrices of equally many columns. Of files that end in {@value #JSON}, the last
   * column is the largest position of both.
   *
   * @throws Failure as {@link #matrix}
   */
  static List<Gf2Matrix> matrices(Session session, Path first, Path second, int maxSize)
      throws IOException, Failure {
    Gf2Matrix a = matrix(session, first, maxSize);
    Gf2Matrix b = matrix(session, second, a.columns(), maxSize);
    boolean isShort = a.columns() < b.columns() && InputFiles.hasEnding(first, JSON);
    return List.of(isShort ? matrix(session, first, b.columns(), maxSize) : a, b);
  }

  /**
   * Reads the generators of a stabilizer code. A file that ends in {@value #JSON} has a list of
   * Pauli operators.
   *
   * @param maxQubits the maximum number of qubits
   * @throws Failure if the file has no generators, or they do not commute
   */
  static StabilizerCode stabilizer(Session session, Path file, int maxQubits)
      throws IOException, Failure {
    String name = TextInput.name(file);
    try {
      return InputFiles.hasEnding(file, JSON)
          ? StabilizerCode.of(
              PauliText.parse(
                  name, OperatorsJson.lines(name, TextInput.text(session, file)), maxQubits))
          : StabilizerFile.parse(name, TextInput.bytes(session, file), maxQubits);
    } catch (MalformedMatrixException e) {
      throw new Failure("not generators of a stabilizer", String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new Failure("not generators of a stabilizer", name + ": " + e.getMessage(), e);
    }
  }
}
