#compdef graze
# zsh completion for graze: the program names what may come next, `graze COMMAND --complete [PREVIOUS] WORD`
_graze() {
    local word=${words[CURRENT]} line
    local -a said names
    if ((CURRENT == 2)) || [[ ${words[2]} == help ]]; then
        said=("${(@f)$(graze --complete 2>/dev/null)}")
    else
        said=("${(@f)$(graze ${words[2]} --complete ${words[3,CURRENT-1]} "$word" 2>/dev/null)}")
        [[ $word == -*=* ]] && compset -P '*='
    fi
    for line in $said; do names+=(${line%%[[:space:]]*}); done
    if ((${#names})); then compadd -a names; else _files; fi
}
_graze "$@"
