package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcModel;
import java.util.List;
import java.util.Optional;

/**
 * A CRC that explains samples: a polynomial, and the class of the pairs of an initial register and
 * a final XOR that make the same checksums.
 *
 * @param model the commonest of the class, with the name in the catalogue if it has one
 * @param isCatalogued true if the catalogue has the model
 * @param others other members of the class, the commonest first; not all of them
 * @param namesOfPoly the catalogued models with this polynomial and these reflections
 * @param openBits the class has 2<sup>openBits + equivalentBits</sup> members
 * @param equivalentBits the bits that no message of whole bytes decides: those members are equal as
 *     functions
 * @param decidingBytes the length of a message whose checksum decides the open bits
 * @param isLittleEndian true if the checksum is written least significant byte first
 * @param shift the bits of the checksum below the CRC
 * @param from the offset of the first byte that is covered
 * @param behind the number of bytes behind the last one that is covered, the field included
 * @param field the offset of the checksum in a frame, from its end if negative; empty if it is
 *     given apart
 * @param evidenceBits a random function passes with a probability of about
 *     2<sup>−evidenceBits</sup>
 * @param missing the number of further samples after which the model is certain; 0 if it is
 */
public record FoundModel(
    CrcModel model,
    boolean isCatalogued,
    List<CrcModel> others,
    List<String> namesOfPoly,
    int openBits,
    int equivalentBits,
    Optional<Integer> decidingBytes,
    boolean isLittleEndian,
    int shift,
    int from,
    int behind,
    Optional<Integer> field,
    int evidenceBits,
    int missing) {

  public FoundModel {
    others = List.copyOf(others);
    namesOfPoly = List.copyOf(namesOfPoly);
  }

  /** Returns true if a random function passes with a probability below 2^−16. */
  public boolean isCertain() {
    return missing == 0;
  }
}
