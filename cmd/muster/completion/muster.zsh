#compdef muster
# Completion of muster for zsh: source <(muster completion zsh), or as _muster in a folder of $fpath.
_muster() {
	local -a found
	found=(${(f)"$(${(Q)words[1]} complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
	if ((!$#found)); then
		_files
		return
	fi
	found=("${(@)found//:/\\:}")
	found=("${(@)found/$'\t'/:}")
	_describe muster found
}
if [[ $funcstack[1] == _muster ]]; then
	_muster "$@"
else
	compdef _muster muster
fi
