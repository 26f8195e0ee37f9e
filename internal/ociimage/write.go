package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// writeTar makes an archive of files and folders, whose names end in a slash. All are of the same time.
func writeTar(headers []tar.Header, contents map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		h.Typeflag, h.ModTime, h.Format = tar.TypeReg, time.Unix(0, 0), tar.FormatUSTAR
		if strings.HasSuffix(h.Name, "/") {
			h.Typeflag = tar.TypeDir
		}
		h.Size = int64(len(contents[h.Name]))
		if err := w.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := w.Write(contents[h.Name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// document is a value as JSON.
func document(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is maps, slices and strings of ours
	}
	return b
}

func sorted(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }
