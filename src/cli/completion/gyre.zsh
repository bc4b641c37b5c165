
_gyre_models()
{
    _files -g "*.(${(j:|:)_gyre_kinds})(-.)"
}

# Sets `names` to the ltl properties of the model on this line.
_gyre_ask()
{
    local -a asked
    local word model before
    for word in "${(@)_gyre_line[2,-1]}"; do
        case $before in
        -D | -I) asked+=($before ${(Q)word}) ;;
        esac
        case $word in
        -[DI]?*) asked+=(${(Q)word}) ;;
        *.(${~${(j:|:)_gyre_kinds}})) model=${~${(Q)word}} ;;
        esac
        before=$word
    done
    names=()
    [[ -n $model ]] && names=(${(f)"$(${~${(Q)_gyre_line[1]}} info --names $asked -- $model 2>/dev/null)"})
}

_gyre_names()
{
    local -a names
    _gyre_ask
    compadd -a names
}

_gyre_expectations()
{
    local -a names
    if compset -P '*='; then
        compadd holds violated inconclusive
        return
    fi
    _gyre_ask
    compadd holds violated inconclusive
    compadd -q -S = -a names
}

_gyre()
{
    local -a options operands _gyre_line
    local command=MODEL
    _gyre_line=("${(@)words}")
    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        _describe command _gyre_commands
        _gyre_models
        return
    fi
    if (( ${${(@)_gyre_commands%%:*}[(Ie)$words[2]]} )); then
        command=$words[2]
        words=("$words[1]" "${(@)words[3,-1]}")
        (( CURRENT-- ))
    fi
    _gyre_options_of $command
    _arguments $options $operands
}

# Loaded by name from $fpath, or sourced.
if [[ $funcstack[1] == _gyre ]]; then
    _gyre "$@"
else
    compdef _gyre gyre
fi
