package worlddb

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkImport imports 50,000 spawns and as many rows of scripts.
func BenchmarkImport(b *testing.B) {
	const n = 50_000
	var dump bytes.Buffer
	dump.WriteString("CREATE TABLE creature (guid int unsigned, id1 int unsigned, map smallint, a int, b int, c int, x float, y float, z float, o float, " +
		"s varchar(64), n int, t text, PRIMARY KEY (guid));\nINSERT INTO creature VALUES\n")
	for i := range n {
		fmt.Fprintf(&dump, "(%d,%d,%d,0,1,300,%d.25,-%d.5,12.125,3.14159,'',NULL,'cat\\'s comment'),\n", i, i%3000, i%4, i, i)
	}
	dump.Truncate(dump.Len() - 2)
	dump.WriteString(";\nCREATE TABLE smart_scripts (entryorguid int, source_type int, id int, link int, a int, b int, c int, d int, e int, comment text, " +
		"PRIMARY KEY (entryorguid, source_type, id, link));\nINSERT INTO smart_scripts VALUES\n")
	for i := range n {
		fmt.Fprintf(&dump, "(%d,0,%d,0,%d,1000,2000,3000,4000,'Invented Cat - In Combat - Cast'),\n", i/4, i%4, i%60)
	}
	dump.Truncate(dump.Len() - 2)
	url, err := cluster.Database(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]Config{"sqlite": {Dir: b.TempDir()}, "postgres": {URL: url}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(dump.Len()))
			for b.Loop() {
				c := c
				c.Paths, c.Stdin = []string{"-"}, bytes.NewReader(dump.Bytes())
				r, err := Import(b.Context(), c)
				if err != nil || r.Rows != 2*n {
					b.Fatal(r, err)
				}
			}
		})
	}
}
