package layers

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "point links to lines at where their identifiers are declared now")

var (
	mdLink    = regexp.MustCompile("\\[([^\\]\\n]*)\\]\\(([^()\\s]+)\\)(?:,? `([^`\\n]+)`)?")
	mdCode    = regexp.MustCompile("`([^`]+)`")
	mdHeading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	lineMark  = regexp.MustCompile(`^L(\d+)$`)
)

// links checks the links of a document. It returns what is wrong with them, how many name a line, and the document with
// those pointing at where the identifiers are declared.
func links(documents map[string]string, name string) (complaints []string, lines int, mended string) {
	text := documents[name]
	mended = mdLink.ReplaceAllStringFunc(text, func(link string) string {
		m := mdLink.FindStringSubmatch(link)
		target, mark, _ := strings.Cut(m[2], "#")
		if strings.Contains(target, ":") { // elsewhere
			return link
		}
		to := name
		if target != "" {
			to = path.Join(path.Dir(name), target)
		}
		there, ok := documents[to]
		line := lineMark.FindStringSubmatch(mark)
		switch {
		case !ok:
			complaints = append(complaints, m[2]+" is not there")
		case line != nil:
			lines++
			identifier := m[3]
			if code := mdCode.FindStringSubmatch(m[1]); code != nil {
				identifier = code[1]
			}
			n, _ := strconv.Atoi(line[1])
			at := declared(there, identifier, n)
			if at == n && n > 0 {
				break
			}
			complaints = append(complaints, fmt.Sprintf("%s: %q is in line %d", m[2], identifier, at))
			if at == 0 {
				break
			}
			return strings.Replace(link, "#"+mark, "#L"+strconv.Itoa(at), 1)
		case mark != "" && !heads(there, mark):
			complaints = append(complaints, m[2]+": there is no such heading")
		}
		return link
	})
	return complaints, lines, mended
}

// declared is the line of Go code that declares an identifier, of several the one nearest to a line; 0 if there is none. A
// method is named with its type, as in Gate.Run. A field is only taken if nothing else has the name.
func declared(code, identifier string, near int) (line int) {
	owner, name, method := strings.Cut(identifier, ".")
	patterns := []string{`^(?:func|type|var|const) ` + regexp.QuoteMeta(identifier) + `\b`, `^\t` + regexp.QuoteMeta(identifier) + `\b`}
	if method {
		patterns = []string{`^func \(\w+ \*?` + regexp.QuoteMeta(owner) + `\) ` + regexp.QuoteMeta(name) + `\(`}
	}
	for _, pattern := range patterns {
		declaration := regexp.MustCompile(pattern)
		for i, text := range strings.Split(code, "\n") {
			if d := i + 1 - near; declaration.MatchString(text) && (line == 0 || max(d, -d) < max(line-near, near-line)) {
				line = i + 1
			}
		}
		if line > 0 {
			break
		}
	}
	return line
}

// heads reports whether a document has a heading with that anchor.
func heads(text, anchor string) bool {
	for _, m := range mdHeading.FindAllStringSubmatch(text, -1) {
		words := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		if strings.ReplaceAll(words, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// everything is the files and folders of the module; a folder has no text.
func everything(t *testing.T) map[string]string {
	all := make(map[string]string)
	for _, f := range source(t) {
		for folder := path.Dir(f.name); folder != "."; folder = path.Dir(folder) {
			all[folder] = ""
		}
		all[f.name] = f.text
	}
	return all
}

// Links of documents lead somewhere, and those to a line lead to the identifier that they name.
func TestLinksResolve(t *testing.T) {
	all := everything(t)
	inTour := 0
	for name := range all {
		if path.Ext(name) != ".md" || strings.Contains(name, "/testdata/") {
			continue
		}
		complaints, lines, mended := links(all, name)
		if name == "docs/tour.md" {
			inTour = lines
		}
		if *update && mended != all[name] {
			if err := os.WriteFile(filepath.Join("..", "..", name), []byte(mended), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for _, c := range complaints {
			t.Errorf("%s: %s", name, c)
		}
	}
	if inTour < 20 {
		t.Errorf("docs/tour.md has %d links to lines: are they understood?", inTour)
	}
}

// Each kind of link that does not resolve is found, and one to a line is mended.
func TestLinksThatDoNotResolve(t *testing.T) {
	code := "package a\n\nfunc Run() {}\n\n// Run runs.\nfunc (g *Gate) Run() {}\n\ntype Gate struct {\n\tport int\n}\n"
	for text, want := range map[string]string{
		"[a](../a/a.go)":                      "",
		"[a](../a)":                           "",
		"[a](../b/a.go)":                      "../b/a.go is not there",
		"[a](https://example.org/a.go#L7)":    "",
		"[`Run`](../a/a.go#L3)":               "",
		"[`Run`](../a/a.go#L6)":               `../a/a.go#L6: "Run" is in line 3`,
		"[`Gate.Run`](../a/a.go#L6)":          "",
		"[`Gate.Run`](../a/a.go#L3)":          `../a/a.go#L3: "Gate.Run" is in line 6`,
		"[`Gate.Stop`](../a/a.go#L6)":         `../a/a.go#L6: "Gate.Stop" is in line 0`,
		"[a](../a/a.go#L8), `Gate`":           "",
		"[a](../a/a.go#L8) `port`":            `../a/a.go#L8: "port" is in line 9`,
		"[a](#a-heading) and [b](b.md#c-d-e)": "",
		"[a](#another)":                       "#another: there is no such heading",
	} {
		documents := map[string]string{
			"a": "", "a/a.go": code, "docs/a.md": "# A heading\n\n" + text + "\n", "docs/b.md": "## C, `d`: E\n",
		}
		complaints, _, mended := links(documents, "docs/a.md")
		if got := strings.Join(complaints, "; "); got != want {
			t.Errorf("%s\n  %q, want %q", text, got, want)
		}
		if strings.Contains(want, "is in line") {
			documents["docs/a.md"] = mended
			if complaints, _, _ := links(documents, "docs/a.md"); (len(complaints) > 0) != strings.Contains(want, "line 0") {
				t.Errorf("%s is mended to %s: %q", text, mended, complaints)
			}
		}
	}
}
