package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/cmd/internal/flags"
	"muster/internal/pgtest"
)

// Every command that README, docs/worlds.md, docs/operating.md, docs/deploying.md and docs/cluster.md show does what it says, with shorter times and on free
// ports.
func TestReadme(t *testing.T) {
	var text []byte
	for _, name := range []string{"README.md", "docs/worlds.md", "docs/operating.md", "docs/deploying.md", "docs/cluster.md"} {
		document, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(document), "\n"); name == "README.md" && lines > 150 {
			t.Errorf("README has %d lines, more than 150: details belong into docs", lines)
		}
		text = append(text, document...)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	readmeBuses = make(map[string]*nats.Server)
	var server *served
	shown, recordings := make(map[string]int), filepath.Join(t.TempDir(), "recordings")
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(strings.ReplaceAll(block[1], "\\\n", " ")) {
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(strings.ReplaceAll(line, " recordings", " "+recordings))
			if len(words) == 0 {
				continue
			}
			switch words[0] {
			case "make":
				for _, target := range words[1:] {
					defined := target + ":"
					if variable, _, ok := strings.Cut(target, "="); ok {
						defined = variable + ` \?=`
					}
					if !regexp.MustCompile(`(?m)^` + defined).Match(makefile) {
						t.Errorf("%s: there is no such target or variable", strings.TrimSpace(line))
					}
				}
				if slices.Contains(words, "run") {
					server = serve(t)
				}
			case "bin/muster":
				shown[words[1]]++
				runReadme(t, &server, words[1:])
			case ".ci/run", "git", "cd", "curl":
			default:
				t.Errorf("%s: not tested", strings.TrimSpace(line))
			}
		}
	}
	for _, verb := range newParser(new(verbs), new(flags.Environment)).Model.Children {
		if !verb.Hidden && shown[verb.Name] == 0 {
			t.Errorf("no document shows %s", verb.Name)
		}
	}
	if server == nil {
		t.Fatal("README does not start a server")
	}
	server.stop(syscall.SIGTERM, 1)
}

// readmeBuses are NATS, and readmeStore PostgreSQL, for the commands that need it. Those of one way to run a cluster share both.
var (
	readmeBuses  map[string]*nats.Server
	readmeStore  *pgtest.Cluster
	readmeShared string // URL of the registry's database
)

// readmeWay is the way to run a cluster that a command is part of: workers with maps, with a log, or with those that the registry gives.
func readmeWay(words []string) string {
	switch {
	case slices.Contains(words, "--durable"):
		return "log"
	case words[0] == "orchestrate", words[0] == "login", words[0] == "worker" && slices.Contains(words, "--database"), words[0] == "gateway":
		return "registry"
	}
	return "maps"
}

// runReadme runs one command of the binary; a serve takes the place of the running server.
func runReadme(t *testing.T, server **served, words []string) {
	t.Helper()
	way := readmeWay(words)
	if i := slices.Index(words, "--bus"); i >= 0 {
		if readmeBuses[way] == nil {
			readmeBuses[way] = startStreams(t)
		}
		words[i+1] = readmeBuses[way].ClientURL()
	}
	if i := slices.Index(words, "--database"); i >= 0 && words[i+1] != "local" {
		if readmeStore == nil {
			readmeStore = pgtest.New(t)
		}
		if way != "registry" || readmeShared == "" {
			url := readmeStore.URL(t)
			words[i+1] = url
		}
		if way == "registry" {
			readmeShared = cmp.Or(readmeShared, words[i+1])
			words[i+1] = readmeShared
		}
	}
	switch {
	case slices.Contains(words, "--help"):
	case words[0] == "cluster" && slices.Contains(words, "credentials"):
		words[2] = filepath.Join(t.TempDir(), words[2])
	case words[0] == "cluster":
		if !slices.Contains(words, "--database") && !slices.Contains(words, "--ephemeral") {
			words = append(words, "--data", pgtest.Folder(t))
		}
		s := served{t: t, cmd: exec.Command(binary, append(words, "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")...), ended: make(chan error, 1)}
		s.wait("cluster")
		s.stop(syscall.SIGTERM, 1)
		return
	case words[0] == "worker", words[0] == "orchestrate":
		begin(t, words...)
		return
	case words[0] == "login":
		begin(t, append(without(words, "--auth"), "--auth", "127.0.0.1:0")...)
		return
	case words[0] == "gateway":
		begin(t, append(without(words, "--data"), "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", t.TempDir())...)
		return
	case words[0] == "ctl" && words[1] == "cluster" && !slices.Contains(words, "realm"): // TestGateways has a cluster to say it to
		words = append([]string{"ctl", "--socket", (*server).socket}, words[1:]...)
		if i := slices.Index(words, "WORKER"); i >= 0 {
			words[i] = "1"
		}
		if code, _, stderr := execute(t, nil, words...); code != exitFailure || !strings.Contains(stderr, "in no cluster") {
			t.Errorf("%s: exit code %d\n%s", strings.Join(words, " "), code, stderr)
		}
		return
	case words[0] == "ctl":
		words = append([]string{"ctl", "--socket", (*server).socket}, words[1:]...)
	case words[0] == "serve":
		if *server != nil {
			(*server).stop(syscall.SIGTERM, 1)
		}
		words = without(words[1:], "--auth", "--world", "--admin")
		if i := slices.Index(words, "--world-db"); i >= 0 {
			words[i+1] = filepath.Join((*server).home(), words[i+1])
		}
		if i := slices.Index(words, "--data"); i >= 0 {
			words[i+1] = t.TempDir()
		}
		*server = serve(t, words...)
		return
	case words[0] == "trace":
		words = append(words, "--admin", (*server).admin, "--for", "100ms")
	case words[0] == "top":
		words = append(words, "--once", "--admin", (*server).admin)
	case words[0] == "ready":
		words = append(without(words, "--admin"), "--admin", (*server).admin)
	case words[0] == "flight":
		words[1] = filepath.Join(t.TempDir(), words[1])
		_, bundle := (*server).ask("/debug/flight", "")
		if err := os.WriteFile(words[1], []byte(bundle), 0o600); err != nil {
			t.Fatal(err)
		}
	case words[0] == "world", words[0] == "smartai":
		besides(t, *server, words)
		return
	case words[0] == "snapshot":
		if i := slices.Index(words, "there"); i >= 0 {
			words[i] = filepath.Join((*server).home(), words[i])
		}
		if !slices.Contains(words, "--from") {
			words = append(words, "--data", filepath.Join((*server).home(), "muster"))
		}
		if words[1] == "fork" {
			startFork(t, words[2:]...).stop()
			return
		}
	case words[0] == "account", words[0] == "store":
		besides(t, *server, words)
		return
	case words[0] == "swarm":
		words = without(words, "--auth", "--clients", "--duration", "--json")
		words = append(words, "--auth", (*server).auth, "--clients", "20", "--duration", "1s")
	}
	if code, stdout, stderr := execute(t, nil, words...); code != exitOK {
		t.Errorf("%s: exit code %d\n%s%s", strings.Join(words, " "), code, stdout, stderr)
	}
}

// readmeFiles are files and folders that commands name.
var readmeFiles = [...]string{"muster.dump", "dumps", "mine", "here", "again", "world.sql.gz"}

// besides runs a verb on what the server would keep, and has files in a folder of the test.
func besides(t *testing.T, server *served, words []string) {
	t.Helper()
	home, dir := server.cmd.Env[len(server.cmd.Env)-1], server.home()
	for i, word := range words {
		if slices.Contains(readmeFiles[:], word) || i > 0 && words[i-1] == "--data" {
			words[i] = filepath.Join(dir, word)
		}
	}
	if code, stdout, stderr := execute(t, []string{home}, words...); code != exitOK {
		t.Errorf("%s: exit code %d\n%s%s", strings.Join(words, " "), code, stdout, stderr)
	}
}

// home is the folder in which a server keeps its data by default.
func (s *served) home() string {
	_, dir, _ := strings.Cut(s.cmd.Env[len(s.cmd.Env)-1], "=")
	return dir
}

// without leaves flags out, each with its value.
func without(words []string, flags ...string) []string {
	var kept []string
	for i := 0; i < len(words); i++ {
		if slices.Contains(flags, words[i]) {
			i++
			continue
		}
		kept = append(kept, words[i])
	}
	return kept
}
