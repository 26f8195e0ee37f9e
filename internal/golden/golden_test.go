package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestParse(t *testing.T) {
	p, err := parse("# source: a book\nname: SMSG_X\nto: client\nversion: 12340\n\n01 02 # two bytes\n0304\n")
	if err != nil || p.Source != "a book" || p.Name != "SMSG_X" || p.To != "client" || p.Version != 12340 ||
		!bytes.Equal(p.Bytes, []byte{1, 2, 3, 4}) {
		t.Errorf("%+v, %v", p, err)
	}
	for _, text := range []string{
		"",
		"name: SMSG_X\nversion: 1\n",
		"# source: \nname: SMSG_X\nversion: 1\n",
		"# source: x\nversion: 1\n",
		"# source: x\nname: SMSG_X\n",
		"# source: x\nname: SMSG_X\nversion: old\n",
		"# source: x\nname: SMSG_X\nversion: 1\n0\n",
		"# source: x\nname: SMSG_X\nversion: 1\nxx\n",
		"# source: x\nname: SMSG_X\nversion: 1\nto: nobody\n",
		"# source: x\nname: SMSG_X\nversion: 1\ncolour: red\n",
	} {
		if p, err := parse(text); err == nil {
			t.Errorf("%q is %+v", text, p)
		}
	}
}

// A golden with a source is never rewritten.
func TestUpdate(t *testing.T) {
	defer func(was bool) { *update = was }(*update)
	*update = true
	dir := t.TempDir()
	for name, test := range map[string]struct{ was, want string }{
		"ours":    {"old\n", "new\n"},
		"sourced": {"# source: a book\nnew\n", "# source: a book\nnew\n"},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(test.was), 0o644); err != nil {
			t.Fatal(err)
		}
		Compare(t, file, []byte(test.want))
		if got, err := os.ReadFile(file); err != nil || string(got) != test.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	fresh := filepath.Join(dir, "fresh")
	Compare(t, fresh, []byte("new\n"))
	*update = false
	Compare(t, fresh, []byte("new\n"))
}
