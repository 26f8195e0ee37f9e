package msg

import (
	"strings"
	"testing"
)

// What muster does not support has a name of its own, which only clients send, and no row.
//
// Source: Opcodes.h, AzerothCore.
func TestUnservedNames(t *testing.T) {
	seen := make(map[string]uint32)
	for i := range Table {
		if Table[i].Direction&ToServer != 0 {
			seen[Table[i].Name] = uint32(Table[i].Op)
		}
	}
	for op, name := range unserved {
		if other, ok := seen[name]; ok {
			t.Errorf("%s is %#x and %#x", name, op, other)
		}
		seen[name] = op
		if Lookup(ToServer, op) != nil || op >= Opcodes || !strings.HasPrefix(name, "CMSG_") && !strings.HasPrefix(name, "MSG_") {
			t.Errorf("%#x is %s", op, name)
		}
	}
	for op, want := range map[uint32]string{0x054: "CMSG_GUILD_QUERY", 0x249: "CMSG_MAIL_DELETE", 0x1FB: "MSG_RANDOM_ROLL", 0x1DC: "CMSG_PING", 0x4D: "", 0xFFFF: ""} {
		if got := Name(op); got != want {
			t.Errorf("%#x is %q, want %q", op, got, want)
		}
	}
}
