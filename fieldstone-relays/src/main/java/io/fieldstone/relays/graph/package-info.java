/**
 * Graphs of stations and their links: trees where nodes have costs, nodes without which a network
 * falls apart, disjoint sets. Read {@link io.fieldstone.relays.graph.NodeSteinerTree} first.
 */
@NullMarked
package io.fieldstone.relays.graph;

import org.jspecify.annotations.NullMarked;
