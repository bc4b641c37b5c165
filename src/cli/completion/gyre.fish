
# Whether the command on this line is one of these.
function __gyre_on
    set -l words (commandline -opc)
    set -l command MODEL
    if set -q words[2]; and contains -- $words[2] $__gyre_commands
        set command $words[2]
    end
    contains -- $command $argv
end

# The ltl properties of the model on this line.
function __gyre_names
    set -l words (commandline -opc)
    set -l asked
    set -l model
    set -l before
    for word in $words[2..-1]
        switch $before
            case -D -I
                set -a asked $before $word
        end
        switch $word
            case '-D?*' '-I?*'
                set -a asked $word
            case '*.*'
                contains -- (string replace -r '.*\.' '' -- $word) $__gyre_kinds; and set model $word
        end
        set before $word
    end
    if test -n "$model"
        $words[1] info --names $asked -- $model 2>/dev/null
    end
end

function __gyre_expectations
    set -l verdicts holds violated inconclusive
    printf '%s\n' $verdicts
    for name in (__gyre_names)
        printf '%s\n' $name=$verdicts
    end
end

function __gyre_models
    __fish_complete_suffix .$__gyre_kinds
end

complete -c gyre -f
complete -c gyre -n '__fish_use_subcommand; or __gyre_on $__gyre_of_models' -a '(__gyre_models)'
complete -c gyre -n '__gyre_on $__gyre_of_files' -F
