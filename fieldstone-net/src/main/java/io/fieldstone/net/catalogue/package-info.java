/**
 * The files of a server: {@link io.fieldstone.net.catalogue.Catalogue} scans files and folders,
 * hashes them into {@link io.fieldstone.net.catalogue.Offer}s, and notices changes.
 */
@NullMarked
package io.fieldstone.net.catalogue;

import org.jspecify.annotations.NullMarked;
