// Package adminclient asks servers at their addresses for operators.
package adminclient

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// A Client asks one server.
type Client struct {
	Base  string // its URL, without a path
	Token string // "" for none
	HTTP  *http.Client
}

// maxAnswer bounds the answer of a server to Read, in bytes.
const maxAnswer = 16 << 20

// Open asks for a path. The caller closes the answer. One that is not OK is an error, with what it says.
func (c *Client) Open(ctx context.Context, path string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+path, nil)
	if err != nil {
		return nil, err
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	answer, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		defer answer.Body.Close()
		why, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		return nil, fmt.Errorf("%s%s: %s: %s", c.Base, path, answer.Status, strings.TrimSpace(string(why)))
	}
	return answer.Body, nil
}

// Read reads the answer to a path, which is JSON.
func (c *Client) Read(ctx context.Context, path string, into any) error {
	answer, err := c.Open(ctx, path)
	if err != nil {
		return err
	}
	defer answer.Close()
	return json.NewDecoder(io.LimitReader(answer, maxAnswer)).Decode(into)
}
