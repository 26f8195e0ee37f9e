package control

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRequests(t *testing.T) {
	type request struct {
		Name  string `json:"name" in:"path"`
		Most  int    `json:"most,omitempty" in:"query"`
		Level uint8  `json:"level"`
		Note  string `json:"note,omitempty"`
	}
	for _, c := range []struct{ query, body, want string }{
		{"", `{"level":0}`, ""},
		{"?most=7", `{"level":255,"note":"x"}`, ""},
		{"", ``, "level is missing"},
		{"", `{}`, "level is missing"},
		{"?most=x", `{"level":1}`, `most: "x" is no whole number`},
		{"", `{"level":500}`, "level is a whole number from 0 to 255, not number 500"},
		{"", `{"level":"x"}`, "level is a whole number from 0 to 255, not string"},
		{"", `{"level":1,"note":3}`, "note cannot be a number"},
		{"", `{"level":1,"size":2}`, `json: unknown field "size"`},
		{"", `{"level":1,"note":"` + strings.Repeat("x", 16<<10) + `"}`, "a body has at most 16384 bytes"},
	} {
		r := httptest.NewRequest("POST", "/api/things/anna"+c.query, strings.NewReader(c.body))
		r.SetPathValue("name", "anna")
		var q request
		err := read(r, &q)
		switch {
		case c.want == "" && (err != nil || q.Name != "anna"):
			t.Errorf("%s %s: %+v, %v", c.query, c.body, q, err)
		case c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%s %s: %v, want %s", c.query, c.body, err, c.want)
		}
		if c.query == "?most=7" && (q.Most != 7 || q.Level != 255 || q.Note != "x") {
			t.Errorf("read %+v", q)
		}
	}
}
