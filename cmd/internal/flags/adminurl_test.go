package flags

import "testing"

func TestAdminURL(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1:8086":              "http://127.0.0.1:8086",
		":8086":                       "http://127.0.0.1:8086",
		"0.0.0.0:9":                   "http://127.0.0.1:9",
		"[::]:9":                      "http://127.0.0.1:9",
		"[::1]:9":                     "http://[::1]:9",
		"localhost:9":                 "http://localhost:9",
		"muster.example":              "http://muster.example:8086",
		"http://127.0.0.1:8086/":      "http://127.0.0.1:8086",
		"http://0.0.0.0:8086":         "http://127.0.0.1:8086",
		"https://muster.example/":     "https://muster.example",
		"https://muster.example/ops/": "https://muster.example/ops",
		"":                            "",
		"ftp://muster.example/":       "",
		"127.0.0.1:port":              "",
		"http://":                     "",
		"http://a/?x":                 "",
	} {
		var a AdminURL
		if err := a.UnmarshalText([]byte(text)); (err != nil) != (want == "") || a.Base != want {
			t.Errorf("%q is read as %q, %v; want %q", text, a.Base, err, want)
		}
	}
}
