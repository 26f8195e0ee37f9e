package worlddb

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText prints a report for people.
func (r *Report) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "family    %s", r.Family)
	if r.Version != "" {
		fmt.Fprintf(out, ", version %s", r.Version)
	}
	fmt.Fprintln(out)
	for _, what := range r.order() {
		fmt.Fprintf(out, "          %s: %s\n", what, r.Schema[what])
	}
	bytes := int64(0)
	for _, f := range r.Files {
		bytes += f.Bytes
	}
	fmt.Fprintf(out, "files     %d, %.1f MB\n\n", len(r.Files), float64(bytes)/1e6)
	r.writeTables(out)
	r.writeExecuted(out)
	r.writeScripts(out)
	fmt.Fprintf(out, "\ndangling references: %d kinds\n", len(r.Dangling))
	for _, d := range r.Dangling {
		fmt.Fprintf(out, "  %s -> %s: %d rows, such as %d\n", d.From, d.To, d.Rows, d.Example)
	}
	fmt.Fprintf(out, "\nrows and statements that are not used: %d\n", r.Bad)
	for i, p := range r.Problems {
		if i == maxPrinted {
			fmt.Fprintf(out, "  and %d more; --json has the first %d\n", r.Bad-i, len(r.Problems))
			break
		}
		fmt.Fprintf(out, "  %v\n", p)
	}
	return out.Flush()
}

// maxPrinted is how many problems are printed for people.
const maxPrinted = 50

func (r *Report) writeTables(out io.Writer) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "read\tused\tbad\tduplicate\t  table")
	var ignored []string
	rows := int64(0)
	for _, table := range r.Tables {
		if table.Ignored != "" {
			ignored = append(ignored, fmt.Sprintf("%s (%d rows, %d statements): %s", table.Table, table.Read, table.Applied+table.Skipped, table.Ignored))
			rows += table.Read
			continue
		}
		more := ""
		if table.Skipped > 0 {
			more = fmt.Sprintf(", %d statements not applied", table.Skipped)
		}
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t  %s%s\n", table.Read, table.Used, table.Bad, table.Duplicate, table.Table, more)
	}
	t.Flush()
	fmt.Fprintf(out, "\nignored: %d tables with %d rows\n", len(ignored), rows)
	for _, line := range ignored {
		fmt.Fprintln(out, "  "+line)
	}
}

// writeExecuted prints what of the rows is executed when the world runs, and why the others are not.
func (r *Report) writeExecuted(out io.Writer) {
	var rows, executed, others int64 // the last are of tables that are not read
	var lines []string
	of := func(table string, reasons map[string]int64, how string) {
		for _, reason := range slices.Sorted(maps.Keys(reasons)) {
			if reason == NotYet || reason == unexecuted[table] {
				others += reasons[reason]
			}
			lines = append(lines, fmt.Sprintf("  %s: %d rows %s: %s", table, reasons[reason], how, reason))
		}
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		rows, executed = rows+t.Used, executed+t.Executed
		of(t.Table, t.InPart, "in part")
		of(t.Table, t.NotExecuted, "not")
	}
	fmt.Fprintf(out, "\nexecuted by serve --world-db: %d of %d rows; %d are of tables that it does not read\n", executed, rows, others)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

// writeScripts prints a line for each part of each table of scripts.
func (r *Report) writeScripts(out io.Writer) {
	for i := 0; i < len(r.Scripts); {
		first := r.Scripts[i]
		var kinds []string
		var loaded, executable int64
		for ; i < len(r.Scripts) && r.Scripts[i].Table == first.Table && r.Scripts[i].Part == first.Part; i++ {
			kinds = append(kinds, fmt.Sprintf("%d: %d", r.Scripts[i].Kind, r.Scripts[i].Loaded))
			loaded += r.Scripts[i].Loaded
			executable += r.Scripts[i].Executable
		}
		fmt.Fprintf(out, "\n%s, %s: %d of %d rows are of a kind that is executed\n  %s\n", first.Table, first.Part, executable, loaded, strings.Join(kinds, ", "))
	}
}
