# What zsh offers for each line that is an argument: sorted, in one line of output. The two functions of its completion
# system that the script calls print what they are given.
compdef() { [[ $* == '_muster muster' ]] || print -u 2 "compdef $*" }
_describe() { print -l -- ${${(P)2}%%:*} }
_files() { print -l -- ${words[CURRENT]}*(NM) }
source <(muster completion zsh)
for line; do
	words=(${=line})
	[[ $line != *' ' ]] || words+=('')
	CURRENT=$#words
	_muster | sort | paste -sd ' '
done
