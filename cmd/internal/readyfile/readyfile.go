// Package readyfile says where a server accepts connections, in a file that is there from when it does until it ends.
package readyfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A State is what a server writes into its ready file. An address is one that this machine can connect to.
type State struct {
	Version        string `json:"version"`
	PID            int    `json:"pid"`
	Realm          string `json:"realm"`
	Auth           string `json:"auth"`
	World          string `json:"world"`
	Admin          string `json:"admin"`
	Ports          Ports  `json:"ports"`
	Socket         string `json:"socket"` // of muster ctl; "" if there is none
	AdminToken     string `json:"admin_token,omitempty"`
	AdminTokenFile string `json:"admin_token_file,omitempty"` // that has it in its first line
	Clock          string `json:"clock"`
	Ephemeral      bool   `json:"ephemeral"`
	Data           string `json:"data,omitempty"`
}

// Ports are those of the addresses of a State.
type Ports struct {
	Auth  uint16 `json:"auth"`
	World uint16 `json:"world"`
	Admin uint16 `json:"admin"`
}

// A File says that a server accepts connections, and where. It is there from then on until the server has ended in
// good order. Only the user of the process can read it, for it may have a token.
type File struct {
	name    string
	written fs.FileInfo // nil before write
}

// New removes what a server that was killed has left behind. It returns an error if the one that wrote it runs.
func New(name string) (*File, error) {
	f := &File{name: name}
	if name == "" {
		return f, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, fmt.Errorf("--ready-file: %w", err)
	}
	var left State
	if json.Unmarshal(text, &left) != nil || left.PID == 0 || left.Admin == "" {
		return nil, fmt.Errorf("--ready-file: %s is there, and no server wrote it", name)
	}
	if left.runs() {
		return nil, fmt.Errorf("--ready-file: %s is that of another server, process %d, which runs: each needs its own", name, left.PID)
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--ready-file: %w", err)
	}
	return f, nil
}

// runs reports whether the server still does. Its process alone does not say so: another may have the number by now.
func (s *State) runs() bool {
	if p, err := os.FindProcess(s.PID); err != nil || s.PID == os.Getpid() || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) {
		return false
	}
	c, err := net.DialTimeout("tcp", s.Admin, time.Second)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// Write makes the file, whole from the first moment at which it is there. It returns an error if another server was faster.
func (f *File) Write(s *State) (err error) {
	if f.name == "" {
		return nil
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	part, err := os.CreateTemp(filepath.Dir(f.name), filepath.Base(f.name)+".*.part") // with mode 0600
	if err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	defer os.Remove(part.Name())
	_, err = part.Write(append(text, '\n'))
	if err = errors.Join(err, part.Close()); err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	if err := os.Link(part.Name(), f.name); err != nil { // os.Rename would replace that of another server
		return fmt.Errorf("--ready-file: %w", err)
	}
	f.written, err = os.Lstat(f.name)
	return err
}

// Remove removes the file, unless another has taken its place.
func (f *File) Remove() error {
	if f.written == nil {
		return nil
	}
	now, err := os.Lstat(f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--ready-file: %w", err)
	case !os.SameFile(now, f.written):
		return nil
	}
	return os.Remove(f.name)
}

// Absolute is the absolute name of a file, "" for "".
func Absolute(name string) string {
	if name == "" {
		return ""
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}
