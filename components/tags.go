package components

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A Tag says where the words of a struct field stand on the wire: `v12340:"0x18"` is the number of the
// first, and the field has as many as its size in Go. In `v5875:"0x19,5"` the build has but the first
// five of them.
type Tag struct {
	Name   string       // of the struct field
	Type   reflect.Type // of the struct field
	Number int          // of the first word on the wire
	Offset int          // of the first word in the struct
	Words  int
}

// Tags lists the tags of a component for a client build, in the order of its fields. It panics if a tag
// makes no sense or a tagged field is not made of whole words: that is a mistake in this package.
func Tags(component reflect.Type, build int) []Tag {
	var tags []Tag
	for i := range component.NumField() {
		f := component.Field(i)
		text, ok := f.Tag.Lookup("v" + strconv.Itoa(build))
		if !ok {
			continue
		}
		t := Tag{Name: f.Name, Type: f.Type, Offset: int(f.Offset / 4), Words: int(f.Type.Size() / 4)}
		first, count, limited := strings.Cut(text, ",")
		number, err := strconv.ParseUint(first, 0, 16)
		if limited && err == nil {
			t.Words, err = strconv.Atoi(count)
		}
		if err != nil || t.Words < 1 || t.Words > int(f.Type.Size()/4) || f.Offset%4 != 0 || f.Type.Size()%4 != 0 {
			panic(fmt.Sprintf("components: %v.%s: bad tag %q", component, f.Name, text))
		}
		t.Number = int(number)
		tags = append(tags, t)
	}
	return tags
}
