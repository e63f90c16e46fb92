package io.fieldstone.papers.cuda.stars;

import io.fieldstone.cuda.GpuStarsTest;
import org.junit.jupiter.api.Tag;

/** Counts stars by every method, now that those of the paper are present. */
@Tag("gpu")
class GpuCellStarsTest extends GpuStarsTest {}
