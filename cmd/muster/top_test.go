package main

import (
	"regexp"
	"strings"
	"testing"
)

// One screen of a server with players has its maps, the systems of the busiest, and the players.
func TestTop(t *testing.T) {
	const secret = "correct horse battery"
	s := serve(t, "--creatures", "1000", "--admin-token", secret)
	v := visit(t, s, "TOPPER")
	v.create("Topper")
	v.enter()
	var out string
	_, port, _ := strings.Cut(s.admin, ":")
	for _, at := range []string{s.admin, ":" + port, "localhost:" + port, "http://" + s.admin, "http://" + s.admin + "/"} {
		code, said, stderr := execute(t, nil, "top", "--once", "--admin", at, "--admin-token", secret)
		if out = said; code != exitOK {
			t.Fatalf("--admin %s: exit code %d: %s", at, code, stderr)
		}
	}
	for _, want := range []string{
		`muster at http://127\.0\.0\.1:\d+: 3 maps, 1 player; a step is 5 ms, a flush comes every (5|10) ms\n`, `map +name +tick +players`, `(?m)^ +0 +\S.* 1 +\d+ +\d+`, `(?m)^ +(movement|intake|fanout|visibility) +\d+\.\d{3} +\d+\.\d{3}$`, `player +level`, `Topper +1 +\d+ +127\.0\.0\.1 +0\.[1-9] +\d+\.\d +\d+ +\d+\n`,
		`(?m)^ +1 +\S.* resting +0 +\d+ +0 +–`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("there is no %s in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("one screen has codes of a terminal")
	}
	if code, _, stderr := execute(t, nil, "top", "--once", "--admin", s.admin); code != exitFailure || !strings.Contains(stderr, "401 Unauthorized: a token is needed") {
		t.Errorf("without the token: exit code %d, %s", code, stderr)
	}
}
