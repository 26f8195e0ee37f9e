package main

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

	"muster/cmd/internal/membership"
	"muster/cmd/internal/release"
)

// A readyState is what a server writes into its ready file. An address is one that this machine can connect to.
type readyState struct {
	Version        string     `json:"version"`
	PID            int        `json:"pid"`
	Realm          string     `json:"realm"`
	Auth           string     `json:"auth"`
	World          string     `json:"world"`
	Admin          string     `json:"admin"`
	Ports          readyPorts `json:"ports"`
	Socket         string     `json:"socket"` // of muster ctl; "" if there is none
	AdminToken     string     `json:"admin_token,omitempty"`
	AdminTokenFile string     `json:"admin_token_file,omitempty"` // that has it in its first line
	Clock          string     `json:"clock"`
	Ephemeral      bool       `json:"ephemeral"`
	Data           string     `json:"data,omitempty"`
}

type readyPorts struct {
	Auth  uint16 `json:"auth"`
	World uint16 `json:"world"`
	Admin uint16 `json:"admin"`
}

// A readyFile says that a server accepts connections, and where. It is there from then on until the server has ended in
// good order. Only the user of the process can read it, for it may have a token.
type readyFile struct {
	name    string
	written fs.FileInfo // nil before write
}

// newReadyFile removes what a server that was killed has left behind. It returns an error if the one that wrote it runs.
func newReadyFile(name string) (*readyFile, error) {
	f := &readyFile{name: name}
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
	var left readyState
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
func (s *readyState) runs() bool {
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

// write makes the file, whole from the first moment at which it is there. It returns an error if another server was faster.
func (f *readyFile) write(s *readyState) (err error) {
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

// remove removes the file, unless another has taken its place.
func (f *readyFile) remove() error {
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

// readyState is what the ready file of an open realm says.
func (r *realm) readyState(at open) *readyState {
	v := r.config
	s := &readyState{
		Version: release.Name(), PID: os.Getpid(), Realm: v.RealmName,
		Auth: at.reachableLogins(), World: membership.Reachable(at.world).String(), Admin: membership.Reachable(at.admin).String(),
		Ports:  readyPorts{at.logins.Port(), at.world.Port(), at.admin.Port()},
		Socket: whole(r.socket), AdminToken: v.AdminToken, AdminTokenFile: whole(v.AdminTokenFile),
		Clock: v.Clock, Ephemeral: v.Ephemeral,
	}
	if !v.Ephemeral {
		s.Data = whole(v.Data)
	}
	return s
}

// reachableLogins is where this machine reaches the logins, "" if there are none.
func (o *open) reachableLogins() string {
	if !o.logins.IsValid() {
		return ""
	}
	return membership.Reachable(o.logins).String()
}

// whole is the absolute name of a file, "" for "".
func whole(name string) string {
	if name == "" {
		return ""
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}
