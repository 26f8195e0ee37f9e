package flags

import "github.com/alecthomas/kong"

// Child is the command of a name below a node, nil if there is none.
func Child(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}
