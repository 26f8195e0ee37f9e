# What fish offers for each line that is an argument: sorted, in one line of output.
muster completion fish | source
for line in $argv
	echo (complete -C "$line" | cut -f 1 | sort)
end
