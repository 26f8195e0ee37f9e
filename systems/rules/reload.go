package rules

import "muster/components/defs"

// A Reloaded is a part of the definitions that has been replaced in this tick. What a system has made of the old one, it makes anew.
type Reloaded struct{ Part defs.Part }
