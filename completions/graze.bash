# bash completion for graze: commands and options come from the program's own --help
_graze() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$(graze --help 2>/dev/null | awk '/^commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}')
    else
        case $previous in
        --method) words=$(graze info 2>/dev/null | awk '/^methods/ {on = 1; next} on && !/not in this build/ {print $1}') ;;
        --broad) words=$(graze info 2>/dev/null | sed -n 's/^broad phases *//p') ;;
        --backend) words=$(graze info 2>/dev/null | sed -n 's/^back ends *//p') ;;
        --methods) words=$(graze info 2>/dev/null | awk '/^methods/ {on = 1; next} on && !/not in this build/ {print $1}') ;;
        --device) words=$(nvidia-smi -L 2>/dev/null | sed -n 's/^GPU \([0-9]*\):.*/\1/p') ;;
        --kind) words="vf ee" ;;
        --norm) words="euclidean max" ;;
        --format) words="html markdown" ;;
        bench) words=$(graze bench --help 2>/dev/null | awk '/^suites:/ {on = 1; next} /^$/ {on = 0} on {print $1}') ;;
        scene) words=$(graze scene --list 2>/dev/null | awk '{print $1}') ;;
        --step-filter) words="global relative vertex" ;;
        sim) words=$(graze sim --list 2>/dev/null | awk '{print $1}') ;;
        --mode) words="earliest any vertices all" ;;
        esac
        case $current in
        -*) words=$(graze "${COMP_WORDS[1]}" --help 2>/dev/null | awk '/^options:/ {on = 1; next} on && /^  -/ {print $1}') ;;
        esac
    fi
    COMPREPLY=()
    [ -n "$words" ] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _graze graze
