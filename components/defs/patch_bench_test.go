package defs

import "testing"

// BenchmarkPatch reads the scripts of a whole database: 60,000 rows.
func BenchmarkPatch(b *testing.B) {
	p := &Patch{Part: PartScripts}
	for i := range 20_000 {
		rows := make([]ScriptRow, 3)
		for k := range rows {
			rows[k] = ScriptRow{ID: uint16(k), Chance: 100, When: [6]uint32{uint32(i % 5000), uint32(i % 7000), 3000, 4000}, Action: ScriptTalk, Do: [6]uint32{uint32(i)}, Target: ScriptSelf}
		}
		p.Scripts = append(p.Scripts, Script{Rows: rows})
	}
	packed, err := p.AppendBinary(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(packed)))
	for b.Loop() {
		if err := new(Patch).UnmarshalBinary(packed); err != nil {
			b.Fatal(err)
		}
	}
}
