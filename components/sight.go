package components

// Sight makes an entity an observer: it sees the stencil around its home in some layers.
type Sight struct {
	Layers uint32 // bit per layer
}
