#!/bin/sh
# Fuzzes one target for some seconds, from its seeds and from what earlier runs found worth keeping:
#
#     sh tests/fuzz/run.sh TARGET [SECONDS [RUNS]]
#
# With RUNS, that many inputs at most, and the same ones every time: for the suite, where a finding
# must not depend on luck.
#
# Findings are left in build/fuzz/TARGET-* and make the run fail. build/fuzz/TARGET FILE runs one
# again. A target that makes its own seeds (GYRE_FUZZ_SEEDS) has no folder in the repository.
set -e
cd "$(dirname "$0")/../.."
target=$1
found=build/fuzz/corpus-$target
seeds=tests/fuzz/corpus/$target
mkdir -p "$found"
test -d "$seeds" || {
    seeds=build/fuzz/seeds-$target
    rm -rf "$seeds"
    mkdir -p "$seeds"
    GYRE_FUZZ_SEEDS=$seeds "build/fuzz/$target" >/dev/null
    rm -rf "$found" # of another format, perhaps
    mkdir -p "$found"
}
case $target in
checkpoint | swarm) longest=65536 ;;
*) longest=8192 ;;
esac
dict=tests/fuzz/$target.dict
test -f "$dict" && dict=-dict=$dict || dict=
test -n "$3" && again="-seed=1 -runs=$3" || again=
"build/fuzz/$target" $again -max_total_time="${2:-30}" -timeout=20 -rss_limit_mb=2048 -max_len=$longest $dict \
    -artifact_prefix="build/fuzz/$target-" -print_final_stats=1 "$found" "$seeds"
