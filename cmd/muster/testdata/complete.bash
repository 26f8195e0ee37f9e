# What bash offers for each line that is an argument: sorted, in one line of output.
source <(muster completion bash)
for line; do
	read -ra COMP_WORDS <<<"$line"
	[[ $line != *' ' ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
	COMPREPLY=()
	spec=$(complete -p muster)
	"$(sed 's/.* -F \([^ ]*\) .*/\1/' <<<"$spec")" muster "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	if ((!${#COMPREPLY[@]})) && [[ $spec == *'-o default'* ]]; then
		for file in "${COMP_WORDS[COMP_CWORD]}"*; do
			[[ ! -d $file ]] || file+=/
			COMPREPLY+=("$file")
		done
	fi
	printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' '
done
