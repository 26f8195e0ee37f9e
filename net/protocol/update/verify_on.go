//go:build verify

package update

// Verify is set in a build with the tag verify: Delta panics on a change that was not marked dirty. A
// caller that does not call Delta for clean objects should call it after all then.
const Verify = true
