package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.KernelArguments;

/**
 * The parameters of the kernels in {@code transforms.cu}: a record for each struct, with the
 * members in the order of their declaration.
 */
final class TransformArguments {

  private TransformArguments() {}

  /**
   * A {@code struct TransformOrbitsArguments}: counts the orbits of low parts and lists
   * representatives.
   *
   * @param lowImages address of the maps of the symmetries
   * @param representatives address of the list, or 0 to count only
   */
  record Orbits(long lowImages, long representatives, long count, int symmetries, int lowBits) {
    void write(KernelArguments struct) {
      struct.int64(lowImages).int64(representatives).int64(count).int32(symmetries).int32(lowBits);
    }
  }

  /** A {@code struct TransformImagesArguments}: computes all images of representatives. */
  record Images(
      long lowImages,
      long representatives,
      long images,
      long representativeCount,
      int symmetries,
      int lowBits) {
    void write(KernelArguments struct) {
      struct
          .int64(lowImages)
          .int64(representatives)
          .int64(images)
          .int64(representativeCount)
          .int32(symmetries)
          .int32(lowBits);
    }
  }

  /**
   * A {@code struct TransformCountArguments}: counts the words of slices, transformed over the high
   * parts.
   *
   * @param indexOfWeight address of the index of each weight, a byte
   * @param functionals address of the images of the high part of each slice's functional
   * @param pitch distance between the values of slices, in 32-bit words
   * @param wordInts 32-bit words of each word
   * @param pairs pairs of weights
   */
  record Count(
      long basis,
      long indexOfWeight,
      long representatives,
      long images,
      long functionals,
      long values,
      long pitch,
      long representativeCount,
      int symmetries,
      int slices,
      int highBits,
      int lowBits,
      int length,
      int wordInts,
      int pairs) {
    void write(KernelArguments struct) {
      struct
          .int64(basis)
          .int64(indexOfWeight)
          .int64(representatives)
          .int64(images)
          .int64(functionals)
          .int64(values)
          .int64(pitch)
          .int64(representativeCount)
          .int32(symmetries)
          .int32(slices)
          .int32(highBits)
          .int32(lowBits)
          .int32(length)
          .int32(wordInts)
          .int32(pairs);
    }
  }

  /** A {@code struct TransformFirstArguments}: transforms the lowest bits. */
  record First(long values, long transforms, int paddedBits, int bits, int weights, int pairs) {
    void write(KernelArguments struct) {
      struct
          .int64(values)
          .int64(transforms)
          .int32(paddedBits)
          .int32(bits)
          .int32(weights)
          .int32(pairs);
    }
  }

  /** A {@code struct TransformMiddleArguments}: transforms bits in place. */
  record Middle(long transforms, int paddedBits, int firstBit, int weights) {
    void write(KernelArguments struct) {
      struct.int64(transforms).int32(paddedBits).int32(firstBit).int32(weights);
    }
  }

  /**
   * A {@code struct TransformLastArguments}: transforms the highest bits of a chunk.
   *
   * @param large address of the values that do not fit {@code values}
   * @param limit minimum magnitude of a large value
   */
  record Last(
      long transforms,
      long values,
      long large,
      long pitch,
      long firstTile,
      long tiles,
      long limit,
      int paddedBits,
      int bits) {
    void write(KernelArguments struct) {
      struct
          .int64(transforms)
          .int64(values)
          .int64(large)
          .int64(pitch)
          .int64(firstTile)
          .int64(tiles)
          .int64(limit)
          .int32(paddedBits)
          .int32(bits);
    }
  }

  /**
   * A {@code struct TransformProductsArguments}: adds up the products of a chunk on tensor cores.
   *
   * @param leftOut address of the functionals with large values
   * @param tile functionals of a tile
   */
  record Products(
      long values,
      long pitch,
      long count,
      long units,
      long sums,
      long leftOut,
      long leftOutCount,
      int unitCount,
      int weights,
      int tile) {
    void write(KernelArguments struct) {
      struct
          .int64(values)
          .int64(pitch)
          .int64(count)
          .int64(units)
          .int64(sums)
          .int64(leftOut)
          .int64(leftOutCount)
          .int32(unitCount)
          .int32(weights)
          .int32(tile);
    }
  }

  /**
   * A {@code struct TransformExactArguments}: adds up the products of functionals with large
   * values.
   *
   * @param list address of the functionals
   * @param triples address of the indices of weights of each triple
   */
  record Exact(
      long values,
      long large,
      long pitch,
      long list,
      long listCount,
      long count,
      long triples,
      long sums,
      int tripleCount,
      int weights) {
    void write(KernelArguments struct) {
      struct
          .int64(values)
          .int64(large)
          .int64(pitch)
          .int64(list)
          .int64(listCount)
          .int64(count)
          .int64(triples)
          .int64(sums)
          .int32(tripleCount)
          .int32(weights);
    }
  }
}
