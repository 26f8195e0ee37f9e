package worlddb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/loaders/worlddb/invented"
)

// mostImportMB is the memory that an import of any dump may have resident, MB of 10⁶ bytes: docs/worlds.md promises it.
const mostImportMB = 300

// An import of a dump of a full world, with updates that SQLite has to do, and of one whose rows are as long as rows may be, never needs more memory than
// is promised, with the collector as it is by default.
func TestImportMemory(t *testing.T) {
	for _, c := range []struct {
		name string
		dump func(io.Writer) error
		rows string // that are read
	}{
		{"a world", func(to io.Writer) error {
			err := invented.Write(to, invented.World())
			_, also := io.WriteString(to, "UPDATE creature SET spawntimesecs = 300 WHERE map = 1;\nDELETE FROM smart_scripts WHERE entryorguid < 100;\n"+
				"INSERT INTO creature_template_model VALUES (1,7,5,1,1,0);\n")
			return errors.Join(err, also)
		}, "744501 rows"},
		{"long rows", func(to io.Writer) error {
			const create, length = "CREATE TABLE page_text (ID int NOT NULL, Text longtext, NextPage int, PRIMARY KEY (ID));\n", 16<<20 - 1024 // without the signs that stand before others
			_, err := io.WriteString(to, create)
			for i := range 4 {
				_, also := fmt.Fprintf(to, "INSERT INTO page_text VALUES (%d,'%s',0);\n", 4-i, strings.Repeat(`ab\'`, length/3))
				err = errors.Join(err, also)
			}
			return err
		}, "4 rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), importInto+"="+t.TempDir())
			dump, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var said strings.Builder
			cmd.Stdout, cmd.Stderr = &said, &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended, peak := make(chan struct{}), make(chan float64)
			go func() { peak <- residentPeak(cmd.Process.Pid, ended) }()
			err = errors.Join(c.dump(dump), dump.Close(), cmd.Wait())
			close(ended)
			most := <-peak
			if most < 20 || most > mostImportMB {
				t.Errorf("%.0f MB were resident, want at most %d", most, mostImportMB)
			}
			if err != nil || !strings.Contains(said.String(), c.rows) {
				t.Errorf("%v\n%s", err, &said)
			}
		})
	}
}

// importInto is the variable with the folder of the world for the child process of TestImportMemory, which is this program.
const importInto = "WORLDDB_IMPORT_INTO"

// importStdin is what that does instead of tests: it imports a dump from standard input.
func importStdin(dir string) error {
	r, err := Import(context.Background(), Config{Paths: []string{stdin}, Stdin: os.Stdin, Dir: dir, Strict: true})
	if err == nil {
		fmt.Printf("%d rows\n", r.Rows)
	}
	return err
}

// residentPeak is the most memory that a process has had resident, MB, when it was looked at last before it ended: the kernel keeps the most.
//
// Source: proc_pid_status(5).
func residentPeak(pid int, ended <-chan struct{}) (megabytes float64) {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, behind, found := strings.Cut(string(status), "VmHWM:"); found {
			if kilobytes, err := strconv.ParseFloat(strings.Fields(behind)[0], 64); err == nil {
				megabytes = kilobytes * 1024 / 1e6
			}
		}
		select {
		case <-ended:
			return megabytes
		case <-ticker.C:
		}
	}
}
