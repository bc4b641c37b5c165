
# Files that may be models, and folders; any file where there is none.
_gyre_models()
{
    local IFS=$'\n' kind
    for kind in "${_gyre_kinds[@]}"; do
        COMPREPLY+=($(compgen -f -X "!*.$kind" -- "$1"))
    done
    COMPREPLY+=($(compgen -d -- "$1"))
    [[ ${COMPREPLY[0]} ]] || COMPREPLY=($(compgen -f -- "$1"))
}

# The ltl properties of the model on this line. Bash breaks words at `=`.
_gyre_names()
{
    local -a words=() asked=()
    local i kind model=
    for ((i = 1; i < COMP_CWORD; i++)); do
        if ((${#words[@]})) && [[ ${COMP_WORDS[i]} == = || ${words[-1]} == *= ]]; then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    for ((i = 0; i < ${#words[@]}; i++)); do
        case ${words[i]} in
        -D | -I)
            asked+=("${words[i]}" "${words[i + 1]}")
            ((i++))
            ;;
        -D* | -I*) asked+=("${words[i]}") ;;
        *)
            for kind in "${_gyre_kinds[@]}"; do
                [[ ${words[i]} == *."$kind" ]] && model=${words[i]/#\~/$HOME}
            done
            ;;
        esac
    done
    [[ $model ]] && "${COMP_WORDS[0]/#\~/$HOME}" info --names "${asked[@]}" -- "$model" 2>/dev/null
}

# What can follow option $1, if $2 is there of it.
_gyre_values()
{
    local head=
    case ${_gyre_arguments[$1]} in
    words) COMPREPLY=($(compgen -W "${_gyre_words[$1]}" -- "$2")) ;;
    list)
        [[ $2 == *,* ]] && head=${2%,*},
        COMPREPLY=($(compgen -P "$head" -W "${_gyre_words[$1]}" -- "${2##*,}"))
        ;;
    property) COMPREPLY=($(compgen -W "$(_gyre_names)" -- "$2")) ;;
    expectation)
        compopt -o nospace 2>/dev/null
        COMPREPLY=($(compgen -W "${_gyre_words[$1]}" -- "$2") $(compgen -S = -W "$(_gyre_names)" -- "$2"))
        ;;
    file) COMPREPLY=($(compgen -f -- "$2")) ;;
    folder) COMPREPLY=($(compgen -d -- "$2")) ;;
    esac
}

_gyre()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local operand IFS=$' \t\n'
    COMPREPLY=()
    if [[ $word == = ]]; then # --option=
        word=
    elif [[ $before == = ]]; then # --option=word
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[COMP_CWORD - 2]} == --expect && $before != -* ]] ||
        ((COMP_CWORD > 3)) && [[ ${COMP_WORDS[COMP_CWORD - 3]} == --expect && $before != -* ]]; then
        COMPREPLY=($(compgen -W "${_gyre_words[--expect]}" -- "$word")) # --expect name=
        return
    fi
    if [[ ${_gyre_arguments[$before]} && "$command $before" != "format --check" ]]; then # that is a flag
        _gyre_values "$before" "$word"
        return
    fi
    [[ ${_gyre_operands[$command]} && $COMP_CWORD -gt 1 ]] || command=MODEL
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "${_gyre_options[$command]}" -- "$word"))
        return
    fi
    operand=${_gyre_operands[$command]}
    [[ $operand == replay ]] && { ((COMP_CWORD > 2)) && operand=files || operand=models; }
    case $operand in
    models) _gyre_models "$word" ;;
    files) COMPREPLY=($(compgen -f -- "$word")) ;;
    folders) COMPREPLY=($(compgen -d -- "$word")) ;;
    esac
    ((COMP_CWORD == 1)) && COMPREPLY+=($(compgen -W "${!_gyre_operands[*]}" -X MODEL -- "$word"))
}
complete -o filenames -F _gyre gyre
