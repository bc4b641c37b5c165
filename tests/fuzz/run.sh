#!/bin/sh
# Fuzzes the parser for SECONDS (default 30) from the seed corpus. Findings are left in
# build/fuzz and make the run fail.
set -e
cd "$(dirname "$0")/../.."
mkdir -p build/fuzz/corpus
make --no-print-directory -j2 BUILD=build/fuzz/lib CC=clang \
    OPT='-O1 -g -fsanitize=address,undefined,fuzzer-no-link' build/fuzz/lib/libgyre.a >/dev/null
clang -std=c17 -D_GNU_SOURCE -Iinclude -Isrc -O1 -g -fsanitize=fuzzer,address,undefined \
    -o build/fuzz/parser tests/fuzz/fuzz_parser.c build/fuzz/lib/libgyre.a -ljansson -lxxhash -lpthread -ldl -lm
build/fuzz/parser -max_total_time="${1:-30}" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -dict=tests/fuzz/promela.dict \
    -artifact_prefix=build/fuzz/ -print_final_stats=1 build/fuzz/corpus tests/fuzz/corpus
