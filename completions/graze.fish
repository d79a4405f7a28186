# fish completion for graze: the program names what may come next, `graze COMMAND --complete [PREVIOUS] WORD`
function __graze_words
    set -l before (commandline -opc)[2..-1]
    set -l word (commandline -ct)
    if test (count $before) -eq 0; or test "$before[1]" = help
        graze --complete 2>/dev/null
        return
    end
    set -l option (string match -r -- '^-.*=' $word)
    graze $before[1] --complete $before[2..-1] "$word" 2>/dev/null | string replace -r -- '^(\S+)\s+' "$option\$1\t" | string replace -r -- '^(\S+)$' "$option\$1"
end
complete -c graze -a '(__graze_words)'
