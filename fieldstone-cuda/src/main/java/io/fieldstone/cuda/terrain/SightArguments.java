package io.fieldstone.cuda.terrain;

import io.fieldstone.cuda.execution.KernelArguments;

/**
 * A {@code struct SightArguments} of {@code sight.cu}.
 *
 * @param heights address of the heights, row by row
 * @param paths address of the fields of the paths
 * @param margins address of the results
 * @param count number of paths
 */
record SightArguments(
    long heights,
    long paths,
    long margins,
    long count,
    int rows,
    int columns,
    float curvature,
    float zone) {

  void write(KernelArguments struct) {
    struct
        .int64(heights)
        .int64(paths)
        .int64(margins)
        .int64(count)
        .int32(rows)
        .int32(columns)
        .float32(curvature)
        .float32(zone);
  }
}
