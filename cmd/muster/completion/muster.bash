# Completion of muster for bash: source <(muster completion bash)
_muster() {
	local IFS=$'\n'
	COMPREPLY=($("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _muster muster
