# bash completion for graze: the program names what may come next, `graze COMMAND --complete [PREVIOUS] WORD`
_graze() {
    local word=${COMP_WORDS[COMP_CWORD]} before=("${COMP_WORDS[@]:1:COMP_CWORD-1}") words
    # bash makes three words of --method=ex
    if [ "$word" = = ]; then
        word=
    elif [ "$COMP_CWORD" -gt 2 ] && [ "${before[-1]}" = = ]; then
        unset 'before[-1]'
    fi
    case ${before[0]:-} in
    '') words=$(graze --complete 2>/dev/null) ;;
    help) words=$(graze --complete 2>/dev/null) ;;
    *) words=$(graze "${before[0]}" --complete "${before[@]:1}" "$word" 2>/dev/null) ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$(printf '%s\n' "$words" | sed 's/[[:space:]].*//')" -- "$word")
}
complete -o default -F _graze graze
