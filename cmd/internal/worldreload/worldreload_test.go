package worldreload

import (
	"context"
	"errors"
	"testing"

	"muster/components/defs"
	"muster/loaders/worlddb/content"
)

// While one part is read, another is refused; and a world that cannot be read replaces nothing.
func TestOneAtATime(t *testing.T) {
	r := &Reloader{At: t.TempDir(), Loaded: &content.World{World: new(defs.World)}}
	if _, err := r.Reload(context.Background(), nil, defs.PartTexts); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("a folder without a world: %v", err)
	}
	r.reading.Lock()
	if _, err := r.Reload(context.Background(), nil, defs.PartTexts); !errors.Is(err, ErrBusy) {
		t.Errorf("a second part: %v", err)
	}
	r.reading.Unlock()
	if in, err := r.Current(0, 5); err != nil || in.Len() != 0 {
		t.Errorf("a world that is made now reads %d items: %v", in.Len(), err)
	}
}
