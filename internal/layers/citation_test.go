package layers

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A cited is what docs/sources.md has of a project.
type cited struct {
	names []string        // by which comments call it
	files map[string]bool // by path, and by the last element of it
	marks map[string]bool // functions, with their classes
}

// sources is all that a citation can resolve to.
type sources struct {
	projects     []*cited
	publications []string
	documents    map[string]string // Markdown files of the module, by name from the root
	paths        map[string]bool   // files and folders of the module
}

var (
	sourcesRow   = regexp.MustCompile(`^\|(.*)\|$`)
	code         = regexp.MustCompile("`([^`]+)`")
	fullCommit   = regexp.MustCompile("^`[0-9a-f]{40}`$")
	shortCommit  = regexp.MustCompile("^\\(?`[0-9a-f]{12}`\\)?$")
	docName      = regexp.MustCompile(`[\w./-]*[\w-]\.md\b`)
	docPlace     = regexp.MustCompile("^`?,? +(?:(sections?|rows?|appendix) +)?([A-Z]\\b|\\d+(?:\\.\\d+)*)")
	docNextPlace = regexp.MustCompile(`^(?:;|,| and|, and| to)(?: appendix)? ([A-Z]\b|\d+(?:\.\d+)*)\b`)
	sourceText   = regexp.MustCompile(`(?:^source|\bSources?): (.*)`)
	mark         = regexp.MustCompile(`\b[A-Z]\w*(?:::~?\w+)+`)
	foreignFile  = regexp.MustCompile(`(?:[\w-]+/)*[\w-]+\.(?:cpp|h|sql|conf\.dist|conf|wowm|lua|scala|cs|rs)\b`)
	manual       = regexp.MustCompile(`\b[a-z_]\w*\([1-8]\)|\bRFC \d+`)
	folder       = regexp.MustCompile(`\b[a-z]+(?:/[a-z]+)+\b`)
)

// readSources reads docs/sources.md. A row that is no row of its table is an error of the test.
func readSources(t *testing.T, files []*file) *sources {
	t.Helper()
	s := &sources{documents: make(map[string]string), paths: make(map[string]bool)}
	for _, f := range files {
		for p := f.name; p != "."; p = path.Dir(p) {
			s.paths[p] = true
		}
		if path.Ext(f.name) == ".md" {
			s.documents[f.name] = f.text
		}
	}
	section := ""
	for line := range strings.Lines(s.documents["docs/sources.md"]) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
			continue
		}
		m := sourcesRow.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| name |") || strings.HasPrefix(line, "| file |") {
			continue
		}
		cells := strings.Split(m[1], "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch section {
		case "Projects":
			if len(cells) != 5 || !fullCommit.MatchString(cells[3]) || cells[4] == "" {
				t.Errorf("docs/sources.md: no commit or no licence: %s", line)
				continue
			}
			p := &cited{names: []string{cells[0]}, files: make(map[string]bool), marks: make(map[string]bool)}
			if cells[1] != "" {
				p.names = append(p.names, cells[1])
			}
			s.projects = append(s.projects, p)
		case "Publications":
			s.publications = append(s.publications, cells[0])
		default:
			i := slices.IndexFunc(s.projects, func(p *cited) bool { return p.names[0] == section })
			if i < 0 || len(cells) < 2 || !shortCommit.MatchString(cells[1]) || !code.MatchString(cells[0]) {
				t.Errorf("docs/sources.md: neither a file nor a commit, or of no project: %s", line)
				continue
			}
			p := s.projects[i]
			name := code.FindStringSubmatch(cells[0])[1]
			p.files[name], p.files[path.Base(name)] = true, true
			for _, cell := range cells[2:] {
				for _, m := range code.FindAllStringSubmatch(cell, -1) {
					p.marks[m[1]] = true
				}
			}
		}
	}
	if len(s.projects) < 5 {
		t.Fatalf("docs/sources.md has %d projects", len(s.projects))
	}
	return s
}

// word reports whether a text has a name that is not part of a longer one.
func word(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		letter := func(b byte) bool {
			return b == '_' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
		}
		if (i == 0 || !letter(rest[i-1])) && (i+len(name) == len(rest) || !letter(rest[i+len(name)])) {
			return true
		}
		rest = rest[i+1:]
	}
}

// named is the projects that a text names.
func (s *sources) named(text string) []*cited {
	var all []*cited
	for _, p := range s.projects {
		if slices.ContainsFunc(p.names, func(name string) bool { return word(text, name) }) {
			all = append(all, p)
		}
	}
	return all
}

// document is the text of a Markdown file that a file calls by name.
func (s *sources) document(from, name string) (text string, ok bool) {
	for _, p := range []string{name, path.Join("docs", name), path.Join(path.Dir(from), name)} {
		if text, ok := s.documents[path.Clean(p)]; ok {
			return text, true
		}
	}
	return "", false
}

// hasPlace reports whether a document has a section, an appendix, or a row or an item of that number in some list. Item 9
// of section 7 is 7.9.
func hasPlace(document, kind, place string) bool {
	has := func(pattern string) bool {
		return regexp.MustCompile("(?m)" + pattern).MatchString(document)
	}
	number := regexp.QuoteMeta(place)
	if strings.HasPrefix(kind, "row") {
		return has(`^\| ` + number + ` \|`)
	}
	if place[0] >= 'A' && place[0] <= 'Z' {
		return has(`^#+ Appendix ` + number + `\.`)
	}
	if has(`^#+ ` + number + `(\.|:| )`) {
		return true
	}
	if i := strings.LastIndexByte(place, '.'); i >= 0 {
		_, rest, ok := strings.Cut(document, "\n# "+place[:i]+". ")
		rest, _, _ = strings.Cut(rest, "\n# ")
		return ok && strings.Contains(rest, "\n"+place[i+1:]+". ")
	}
	return kind == "" && has(`^\| `+number+` \|`) // as in 2.4, 13
}

// places complains of each document, section, appendix and row that a text names and that is not there.
func (s *sources) places(from, text string) (complaints []string, found int) {
	for _, at := range docName.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		document, ok := s.document(from, name)
		if !ok {
			complaints = append(complaints, "no document "+name)
			continue
		}
		found++
		rest := text[at[1]:]
		m := docPlace.FindStringSubmatch(rest)
		for kind := ""; m != nil; m = append([]string{"", kind}, docNextPlace.FindStringSubmatch(rest)...) {
			if len(m) < 3 || m[len(m)-1] == "" {
				break
			}
			place := m[len(m)-1]
			if len(m) == 3 && m[0] != "" {
				kind = m[1]
			}
			if !hasPlace(document, kind, place) {
				complaints = append(complaints, fmt.Sprintf("%s has no %s", name, strings.TrimSpace(kind+" "+place)))
			}
			rest = rest[strings.Index(rest, place)+len(place):]
		}
	}
	return complaints, found
}

// check complains of what does not resolve in a paragraph of a comment, and counts what does.
func (s *sources) check(from, text string) (complaints []string, resolved int) {
	complaints, resolved = s.places(from, text)
	projects := s.named(text)
	among := projects
	if len(among) == 0 {
		among = s.projects
	}
	for _, m := range mark.FindAllString(text, -1) {
		if slices.ContainsFunc(among, func(p *cited) bool { return p.marks[m] }) {
			resolved++
		} else {
			complaints = append(complaints, "docs/sources.md has no "+m)
		}
	}
	m := sourceText.FindStringSubmatch(text)
	if m == nil {
		return complaints, resolved
	}
	published := slices.ContainsFunc(s.publications, func(name string) bool { return strings.Contains(m[1], name) })
	for _, name := range foreignFile.FindAllString(m[1], -1) {
		if slices.ContainsFunc(projects, func(p *cited) bool { return p.files[name] }) || s.paths[name] {
			resolved++
		} else if !published {
			complaints = append(complaints, "docs/sources.md has no "+name)
		}
	}
	ours := slices.ContainsFunc(folder.FindAllString(m[1], -1), func(p string) bool { return s.paths[p] })
	if len(projects) == 0 && !published && !ours && !docName.MatchString(m[1]) && !manual.MatchString(m[1]) {
		complaints = append(complaints, "names no source")
	} else {
		resolved++
	}
	return complaints, resolved
}

// A paragraph is a part of a comment between empty lines, on one line.
type paragraph struct {
	line int
	text string
}

// comments is the paragraphs of all comments of a file: of Go, and of what has a # in front of a comment.
func (f *file) comments() []paragraph {
	var all []paragraph
	add := func(line int, text string) {
		start, words := line, []string(nil)
		for row := range strings.Lines(text + "\n\n") {
			if row = strings.TrimSpace(row); row != "" {
				words = append(words, row)
			} else if len(words) > 0 {
				all = append(all, paragraph{start, strings.Join(words, " ")})
				words = nil
			}
			line++
			if len(words) == 0 {
				start = line
			}
		}
	}
	if f.ast != nil {
		for _, group := range f.ast.Comments {
			before := f.text[:group.Pos()-f.ast.FileStart]
			var text strings.Builder
			for _, c := range group.List {
				text.WriteString(strings.Trim(c.Text, "/*") + "\n")
			}
			add(1+strings.Count(before, "\n"), text.String())
		}
		return all
	}
	if !slices.Contains([]string{".pkt", ".sim", ".golden", ".txt", ".conf"}, path.Ext(f.name)) {
		return nil
	}
	line, start, text := 0, 0, ""
	for row := range strings.Lines(f.text + "\n") {
		line++
		if comment, ok := strings.CutPrefix(row, "#"); ok {
			if text == "" {
				start = line
			}
			text += comment
		} else if text != "" {
			add(start, text)
			text = ""
		}
	}
	return all
}

// TestCitations resolves what comments cite: documents with their sections, and projects with their files and functions.
func TestCitations(t *testing.T) {
	files := source(t)
	s := readSources(t, files)
	resolved := 0
	for _, f := range files {
		for _, p := range f.comments() {
			complaints, n := s.check(f.name, p.text)
			for _, c := range complaints {
				t.Errorf("%s:%d: %s: %s", f.name, p.line, c, p.text)
			}
			resolved += n
		}
	}
	if resolved < 1000 {
		t.Errorf("only %d citations resolve", resolved)
	}
	t.Logf("%d citations resolve", resolved)
}

// The documents themselves name sections of each other.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	files := source(t)
	s := readSources(t, files)
	for _, f := range files {
		if path.Ext(f.name) != ".md" || f.name == "docs/protocol.md" || f.name == "docs/performance.md" {
			continue // these two name files of other projects
		}
		complaints, _ := s.places(f.name, strings.Join(strings.Fields(f.text), " "))
		for _, c := range complaints {
			t.Errorf("%s: %s", f.name, c)
		}
	}
}

// Each kind of citation that does not resolve is found.
func TestCitationsThatDoNotResolve(t *testing.T) {
	s := readSources(t, source(t))
	for text, want := range map[string]string{
		"Source: protocol.md 4.2.":                           "",
		"Source: protocol.md 3.1.2, 4.4 and 7.10.":           "",
		"Source: protocol.md 4.99.":                          "protocol.md has no 4.99",
		"Source: protocol.md 4.2 and 7.99.":                  "protocol.md has no 7.99",
		"Source: protocol.md appendix A.":                    "",
		"Source: protocol.md appendix Q.":                    "protocol.md has no appendix Q",
		"It is breakage.md row 9.":                           "no document breakage.md",
		"It is FAULTS.md row 9.":                             "",
		"It is FAULTS.md rows 7 and 888.":                    "FAULTS.md has no rows 888",
		"Source: Unit::DealDamage, AzerothCore.":             "",
		"Source: Unit::DealDamage, AzerothKore.":             "names no source",
		"Source: Unit::DealDamages, AzerothCore.":            "docs/sources.md has no Unit::DealDamages",
		"Source: Unit::DealDamage, vmangos.":                 "docs/sources.md has no Unit::DealDamage",
		"As Unit::DealDamages has it.":                       "docs/sources.md has no Unit::DealDamages",
		"Source: enum Powers, SharedDefines.h, AzerothCore.": "",
		"Source: enum Powers, SharedDefined.h, AzerothCore.": "docs/sources.md has no SharedDefined.h",
		"Source: game/Spells/SpellMgr.h, AzerothCore.":       "docs/sources.md has no game/Spells/SpellMgr.h",
		"Source: it is well known.":                          "names no source",
		"Source: tcp(7).":                                    "",
		"Source: RFC 1950, 9.":                               "",
	} {
		complaints, _ := s.check("net/x/x.go", text)
		if got := strings.Join(complaints, "; "); got != want {
			t.Errorf("%s\n  %q, want %q", text, got, want)
		}
	}
}
