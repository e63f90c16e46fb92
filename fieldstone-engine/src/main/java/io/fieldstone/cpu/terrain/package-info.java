/** Lines of sight on the cores: start with {@link io.fieldstone.cpu.terrain.CpuLinesOfSight}. */
@NullMarked
package io.fieldstone.cpu.terrain;

import org.jspecify.annotations.NullMarked;
