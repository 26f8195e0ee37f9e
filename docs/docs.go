// Package docs has the documents that tests hold the code to. No other code imports it.
package docs

import _ "embed" // for the documents

// Protocol is protocol.md: the facts of the wire.
//
//go:embed protocol.md
var Protocol string
