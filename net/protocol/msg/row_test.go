package msg

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"muster/docs"
)

// tiers has the opcodes of the tables of protocol.md 5.1 and 5.2.
var tiers = []struct {
	section, title string
	to             Direction
	ops            []uint32
}{
	{"5.1", "Client → server", ToServer, []uint32{
		0x1ED, 0x1DC, 0x407, 0x4FF, 0x38C, 0x037, 0x036, 0x038, 0x03D, 0x26A, 0x0FC, 0x0FB, 0x391, 0x050,
		0x060, 0x05E, 0x1CE, 0x04B, 0x04E, 0x04A, 0x0DC, 0x0C7, 0x0E3, 0x0E9, 0x0EB, 0x0F0, 0x2CE, 0x2D1,
		0x0B5, 0x0B6, 0x0B7, 0x0B8, 0x0B9, 0x0BA, 0x0BB, 0x0BC, 0x0BD, 0x0BE, 0x0BF, 0x0C0, 0x0C1, 0x0C2,
		0x0C3, 0x0C9, 0x0CA, 0x0CB, 0x0DA, 0x0DB, 0x0EE, 0x359, 0x35A, 0x3A7, 0x2CA, 0x346, 0x38D,
	}},
	{"5.1", "Client → server that a *real* client sends", ToServer, []uint32{
		0x20A, 0x20B, 0x0FE, 0x0FF, 0x100, 0x1F4, 0x2BF, 0x128, 0x3AF, 0x3D3, 0x2CD, 0x211, 0x21A, 0x284,
		0x447, 0x066, 0x36E, 0x371, 0x2D3, 0x3FF, 0x4F6, 0x417, 0x2E7, 0x389,
	}},
	{"5.1", "Server → client", ToClient, []uint32{
		0x1EC, 0x1EE, 0x2EF, 0x4AB, 0x0FD, 0x209, 0x38B, 0x1DD, 0x03B, 0x03A, 0x03C, 0x041, 0x329, 0x236,
		0x3C9, 0x33D, 0x455, 0x067, 0x155, 0x4C0, 0x33B, 0x12A, 0x41E, 0x129, 0x122, 0x47D, 0x4BC, 0x042,
		0x2A5, 0x2C2, 0x390, 0x0A9, 0x1F6, 0x0AA, 0x0DD, 0x0C5, 0x0C7, 0x03F, 0x040, 0x03E, 0x051, 0x061,
		0x05F, 0x1CF, 0x04C, 0x04D, 0x04F, 0x0E2, 0x0CD, 0x1CB,
	}},
	{"5.2", "Client → server", ToServer, []uint32{
		0x13D, 0x141, 0x142, 0x1E0, 0x12E, 0x12F, 0x136, 0x13B, 0x26D, 0x095, 0x097, 0x098, 0x104, 0x102,
		0x101, 0x15A, 0x1D2, 0x216, 0x15C, 0x21C, 0x15D, 0x15E, 0x15F, 0x108, 0x0B1, 0x056, 0x2C4, 0x0B4,
		0x253, 0x062, 0x1CC,
	}},
	{"5.2", "Server → client", ToClient, []uint32{
		0x143, 0x144, 0x145, 0x146, 0x148, 0x149, 0x14A, 0x14E, 0x13C, 0x131, 0x132, 0x130, 0x133, 0x2A6,
		0x134, 0x135, 0x1DE, 0x12B, 0x203, 0x12C, 0x496, 0x495, 0x250, 0x150, 0x151, 0x24E, 0x24B, 0x480,
		0x139, 0x13A, 0x096, 0x3B3, 0x2A9, 0x099, 0x105, 0x103, 0x378, 0x269, 0x494, 0x15B, 0x160, 0x161,
		0x162, 0x163, 0x165, 0x166, 0x1D0, 0x1D4, 0x058, 0x0E8, 0x0EA, 0x0EF, 0x2FE, 0x1FC, 0x47F, 0x483,
		0x485, 0x29D, 0x159, 0x063, 0x1CD,
	}},
}

func TestTiers(t *testing.T) {
	for _, part := range tiers {
		for _, op := range part.ops {
			if r := Lookup(part.to, op); r == nil {
				t.Errorf("%s %s: no row for %#x", part.section, part.title, op)
			} else if part.to == ToServer && r.Allowed == 0 {
				t.Errorf("%s is never allowed", r.Name)
			}
		}
	}
}

// The list above and the names in Table are those of protocol.md 5.
func TestTiersDocument(t *testing.T) {
	cell := regexp.MustCompile("([A-Z0-9_]+) `0x([0-9A-F]+)`")
	for _, part := range tiers {
		_, section, _ := strings.Cut(docs.Protocol, "\n## "+part.section+" ")
		section, _, _ = strings.Cut(section, "\n## ")
		_, table, ok := strings.Cut(section, "\n"+part.title)
		if !ok {
			t.Fatalf("no table %q", part.title)
		}
		_, table, _ = strings.Cut(table, "|\n")
		table, _, _ = strings.Cut(table, "\n\n")
		cells := cell.FindAllStringSubmatch(table, -1)
		if len(cells) != len(part.ops) {
			t.Errorf("%s %s: %d cells, the list has %d", part.section, part.title, len(cells), len(part.ops))
			continue
		}
		for i, c := range cells {
			op, _ := strconv.ParseUint(c[2], 16, 32)
			if uint32(op) != part.ops[i] {
				t.Errorf("%s is %#x in the list, %#x in the document", c[1], part.ops[i], op)
			} else if r := Lookup(part.to, uint32(op)); r == nil || r.Name != c[1] {
				t.Errorf("%#x is %s in the document, in Table it is %+v", op, c[1], r)
			}
		}
	}
}

func TestTable(t *testing.T) {
	for i := range Table {
		r := &Table[i]
		if i > 0 {
			last := &Table[i-1]
			if last.Op > r.Op || last.Op == r.Op && (last.Direction != ToServer || r.Direction != ToClient) {
				t.Errorf("%s stands after %s", r.Name, last.Name)
			}
		}
		prefix := map[Direction]string{ToServer: "CMSG_", ToClient: "SMSG_", Both: "MSG_"}[r.Direction]
		if !strings.HasPrefix(r.Name, prefix) && !strings.HasPrefix(r.Name, "MSG_") {
			t.Errorf("%s goes to %v", r.Name, r.Direction)
		}
		if got := r.Allowed != 0; got != (r.Direction&ToServer != 0) {
			t.Errorf("%s: direction %v, allowed in %b", r.Name, r.Direction, r.Allowed)
		}
		if r.Allowed.Has(Fresh) && r.Op != OpAuthSession && r.Op != OpPing {
			t.Errorf("%s needs no account", r.Name)
		}
		for _, d := range []Direction{ToServer, ToClient} {
			if got := Lookup(d, uint32(r.Op)); (got == r) != (r.Direction&d != 0) {
				t.Errorf("Lookup(%v, %#x) is %+v, not %s", d, r.Op, got, r.Name)
			}
		}
		if New(r.Name) == nil {
			t.Errorf("New knows no %s", r.Name)
		}
	}
	for _, op := range []uint32{0, 0x51E, 0x51F, 0xFFFF, 0x101ED, ^uint32(0)} {
		if Lookup(ToServer, op) != nil || Lookup(ToClient, op) != nil {
			t.Errorf("a row for %#x", op)
		}
	}
	if New("SMSG_NOTHING") != nil {
		t.Error("a message without a name")
	}
}

func TestIsMove(t *testing.T) {
	for op, want := range map[uint16]bool{
		OpMoveHeartbeat: true, OpMoveStartDescend: true, OpMoveFallReset: true, OpMoveSetFly: true, OpMoveChangeTransport: true,
		OpMoveTeleport: false, OpMoveTeleportAck: false, OpMoveTimeSkipped: false, OpMoveNotActiveMover: false,
		OpSetSelection: false, OpMoveRoot: false, OpForceTurnRateChangeAck: false, 0: false, 0x51E: false, 0x51F: false, 0xFF00: false,
	} {
		if got := IsMove(op); got != want {
			t.Errorf("IsMove(%#x) is %v", op, got)
		}
	}
}
