#!/bin/sh
# Packs benchmarks and papers: dist-bench.sh LIB TARGET VERSION makes TARGET/fieldstone-bench-VERSION.tar.gz and its
# SHA-256, with the Java runtime that dist.sh has packed beside LIB.
# Unpacked over the archive of the command, it adds `fieldstone bench`, with its manual page and completion.
set -eu
lib=$1 target=$2 version=$3
name=fieldstone-$version
java=$lib/../../dist/$name/runtime/bin/java
rm -rf "$target/dist"
mkdir -p "$target/dist/$name/lib" "$target/dist/$name/share/man/man1" \
  "$target/dist/$name/share/bash-completion/completions"
cp "$lib"/fieldstone-bench.jar "$lib"/fieldstone-papers.jar "$lib"/fastutil-core-*.jar "$target/dist/$name/lib"
"$java" -cp "$lib/fieldstone-cli.jar" io.fieldstone.cli.ManPages "$target/dist/$name/share/man/man1"
"$java" -cp "$lib/fieldstone-cli.jar" io.fieldstone.cli.Main completion \
  >"$target/dist/$name/share/bash-completion/completions/fieldstone"
archive=fieldstone-bench-$version.tar.gz
cd "$target"
tar -C dist -czf "$archive" "$name"
if command -v sha256sum >/dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi >"$archive.sha256"
echo "made $target/$archive"
