# Made by `gyre --print-completion bash` from src/cli/options.def: do not edit.
_gyre()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    case $before in
    --check) COMPREPLY=($(compgen -W "safety liveness progress deadlock" -- "$word")); return ;;
    --fairness) COMPREPLY=($(compgen -W "actions none weak strong" -- "$word")); return ;;
    --search) COMPREPLY=($(compgen -W "bfs dfs deepening random best" -- "$word")); return ;;
    --cycles) COMPREPLY=($(compgen -W "auto components nested cndfs ufscc owcty map" -- "$word")); return ;;
    --store) COMPREPLY=($(compgen -W "tree plain compact bitstate automaton" -- "$word")); return ;;
    --reduce) COMPREPLY=($(compgen -W "stubborn cartesian none" -- "$word")); return ;;
    --backend) COMPREPLY=($(compgen -W "auto vm native cuda" -- "$word")); return ;;
    --chart) COMPREPLY=($(compgen -W "svg mermaid plantuml shiviz" -- "$word")); return ;;
    --properties) COMPREPLY=($(compgen -W "reach ltl none" -- "$word")); return ;;
    --colour) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    esac
    local options=" --check --ltl --fairness --partial-deadlock --shortest --deterministic --simplify --no-deadlock --no-assert --end-empty --all-errors --witnesses --expect --min-coverage --search --cycles --store --depth --memory --time --threads --hashes --bitstate-size --walks --walk-length --checkpoint --resume --exact --reduce --no-por --check-reduction --symmetry --no-symmetry --no-merge --no-dead --no-slice --no-ranges --backend --no-c --seed -D -I --lossy --no-exclusive --trail --unreached --full --json --junit --sarif --html --code-quality --events --verbose --quiet --colour --help --version"
    case ${COMP_WORDS[1]} in
    sim) options=" --end-empty --no-c --steps --interactive --show --changes --globals --locals --messages --msc --chart --seed -D -I --lossy --no-exclusive --trail --full --json --verbose --quiet --colour --help --version" ;;
    replay) options=" --end-empty --no-c --interactive --show --chart -D -I --lossy --no-exclusive --full --json --verbose --quiet --colour --help --version" ;;
    info) options=" --dot --model --bytecode --c --cuda -D -I --json --verbose --quiet --colour --help --version" ;;
    ltl) options=" --time --dot --never --hoa --sat --equivalent --stutter-invariant --json --quiet --colour --help --version" ;;
    test) options=" --memory --time --threads --no-c -D -I --json --junit --verbose --quiet --colour --help --version" ;;
    stats) options=" --memory --time --backend --no-c --seed --svg -D -I --lossy --no-exclusive --full --json --quiet --colour --help --version" ;;
    convert) options=" -o -D --json --quiet --colour --help --version" ;;
    beem) options=" --memory --time --threads --resume --backend --select --properties --no-counts --recorded --csv --json --quiet --colour --help --version" ;;
    spin) options="" ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
        [[ $COMP_CWORD == 1 ]] && COMPREPLY+=($(compgen -W "sim replay info ltl test stats convert beem spin" -- "$word"))
    fi
}
complete -o filenames -F _gyre gyre
