/**
 * What papers do on the cores: engines that multiply as Nuclei does, of {@link
 * io.fieldstone.papers.cpu.PaperCpuProvider}, and the division of PCRC.
 */
@NullMarked
package io.fieldstone.papers.cpu;

import org.jspecify.annotations.NullMarked;
