// Package ctlsocket says where a server on this machine listens for muster ctl.
package ctlsocket

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"muster/cmd/internal/storage"
	"muster/net/ops/console"
)

// Find is the socket of a running server: of the one in a folder, or without one of that in the folder of serve, or of the only one without a folder.
func Find(data string, variables []string) (string, error) {
	folder := data
	if folder == "" {
		folder = storage.DataFolder(variables)
	}
	path := filepath.Join(folder, Name)
	if _, err := os.Stat(path); err == nil || data != "" {
		return path, nil
	}
	folder = RuntimeFolder(variables)
	if err := console.Private(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	all, _ := filepath.Glob(filepath.Join(folder, "*.sock"))
	all = slices.DeleteFunc(all, func(path string) bool { // what a process has left behind
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	switch len(all) {
	case 0:
		return "", fmt.Errorf("no server listens at %s, or without a folder: name one with --data or --socket", path)
	case 1:
		return all[0], nil
	}
	return "", fmt.Errorf("there are several servers: name one with --socket, from %s", strings.Join(all, ", "))
}

// Name is that of a server's socket in its folder.
const Name = "ctl.sock"

// maxPath is how long the name of a socket can be. Source: sockaddr_un, unix(7).
const maxPath = 100

// RuntimeFolder is for the sockets of servers that have no folder of their own: one for each user, so that no
// other user puts anything there.
func RuntimeFolder(variables []string) string {
	for _, line := range variables {
		if dir, ok := strings.CutPrefix(line, "XDG_RUNTIME_DIR="); ok && filepath.IsAbs(dir) {
			return filepath.Join(dir, "muster")
		}
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("muster-%d", os.Getuid()))
}

// Make is where a server with such a folder, "" for none, is to listen. The folder of the socket is there then.
func Make(data string, variables []string) (string, error) {
	if path := filepath.Join(data, Name); data != "" && len(path) <= maxPath {
		return path, os.MkdirAll(data, 0o700)
	}
	folder := RuntimeFolder(variables)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	if err := console.Private(folder); err != nil {
		return "", err
	}
	sweep(folder)
	return filepath.Join(folder, fmt.Sprintf("%d.sock", os.Getpid())), nil
}

// sweep removes the sockets of processes that have ended without doing so.
func sweep(folder string) {
	all, _ := filepath.Glob(filepath.Join(folder, "*.sock"))
	for _, path := range all {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(path), ".sock"))
		if err != nil || pid <= 0 {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) {
			os.Remove(path)
		}
	}
}
