/**
 * What papers do on a GPU: engines that multiply or decode as Nuclei and HPDS do, of {@link
 * io.fieldstone.papers.cuda.PaperCudaProvider}. The kernels are in {@code src/main/cuda}.
 */
@NullMarked
package io.fieldstone.papers.cuda;

import org.jspecify.annotations.NullMarked;
