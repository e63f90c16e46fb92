/**
 * Trees of graphs whose nodes have costs: stations and their links. Read {@link
 * io.fieldstone.relays.graph.NodeSteinerTree} first.
 */
@NullMarked
package io.fieldstone.relays.graph;

import org.jspecify.annotations.NullMarked;
