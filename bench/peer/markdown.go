package peer

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A column is one of a table: of each row it has a cell.
type column struct {
	title string
	cell  func(*Row) string
}

// Markdown is the report for readers. The charts are linked where there is a row that is not void.
func (r *Report) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s beside muster\n\n%s\n", r.Peer, r.text())
	clients := column{"clients", (*Row).label}
	b.WriteString("\n## Cost\n\n")
	r.table(&b, []column{
		clients,
		{"packets/s", pair(func(f *Figures) float64 { return f.Packets })},
		{"difference", func(row *Row) string { return fmt.Sprintf("%.2f %%", 100*row.Difference) }},
		{"server, % of a core", pair(func(f *Figures) float64 { return f.Processor })},
		{"ratio", func(row *Row) string {
			if times, ok := row.ratio(); ok {
				return number(times) + "x"
			}
			return ""
		}},
		{"swarm, % of a core", pair(func(f *Figures) float64 { return f.Swarm })},
		{"memory, MB", pair(func(f *Figures) float64 { return f.Memory })},
		{"violations", func(row *Row) string { return fmt.Sprintf("%d / %d", row.Peer.Violations, row.Muster.Violations) }},
		{"failed", func(row *Row) string { return fmt.Sprintf("%d / %d", row.Peer.Failures, row.Muster.Failures) }},
	})
	b.WriteString("\n## Latency, ms\n\n")
	r.table(&b, []column{
		clients,
		{"movement p50", pair(func(f *Figures) float64 { return f.MovementP50 })},
		{"movement p99", pair(func(f *Figures) float64 { return f.MovementP99 })},
		{"ping p50", pair(func(f *Figures) float64 { return f.PingP50 })},
		{"ping p99", pair(func(f *Figures) float64 { return f.PingP99 })},
		{"login p50", pair(func(f *Figures) float64 { return f.LoginP50 })},
		{"login p99", pair(func(f *Figures) float64 { return f.LoginP99 })},
		{"swarm behind p99", pair(func(f *Figures) float64 { return f.BehindP99 })},
	})
	r.remarks(&b)
	if latency, processor, err := r.Charts(); err == nil && latency != nil && processor != nil {
		fmt.Fprintf(&b, "\n![Movement latency over clients](%s)\n\n![Processor time over clients](%s)\n", LatencyFile, ProcessorFile)
	}
	return b.Bytes()
}

// text says what was measured.
func (r *Report) text() string {
	var processes []string
	for _, p := range r.Processes {
		processes = append(processes, fmt.Sprintf("%d (%s)", p.PID, p.Name))
	}
	return fmt.Sprintf("Measured on %s with muster %s on %s, %d cores, %s, %s; servers and clients on that machine, one server at a time.\n"+
		"%s is at %s, its processes are %s. muster is `muster %s`.\n"+
		"Clients: `%s`, %s logins/s, %s s measured, new characters in each run; repetitions: %d, the servers in turn.\n"+
		"In each cell is %s first, then muster. All are medians; violations, and clients that did not get in or were lost, are those\n"+
		"of all repetitions together.",
		r.Date.Format("2006-01-02"), r.Commit, r.CPU, r.Cores, r.Kernel, r.Go,
		r.Peer, r.Auth, strings.Join(processes, ", "), strings.Join(r.Serve, " "),
		r.Behaviour, plain(r.Ramp), plain(r.Seconds), r.Repetitions, r.Peer)
}

func (r *Report) table(b *bytes.Buffer, columns []column) {
	for _, c := range columns {
		b.WriteString("| " + c.title + " ")
	}
	b.WriteString("|\n" + strings.Repeat("|--:", len(columns)) + "|\n")
	for i := range r.Rows {
		for _, c := range columns {
			b.WriteString("| " + c.cell(&r.Rows[i]) + " ")
		}
		b.WriteString("|\n")
	}
}

// remarks lists void rows, clients that were not verified, and what the peer took while muster was measured.
func (r *Report) remarks(b *bytes.Buffer) {
	var lines []string
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Void != "" {
			lines = append(lines, fmt.Sprintf("%s clients: void, because %s.", count(row.Clients), row.Void))
		}
		if row.Peer.Verified < row.Clients || row.Muster.Verified < row.Clients {
			lines = append(lines, fmt.Sprintf("%s clients: %s / %s of them were verified at least, of the others packets were counted only.",
				count(row.Clients), count(row.Peer.Verified), count(row.Muster.Verified)))
		}
	}
	idle := 0.0
	for i := range r.Runs {
		idle = max(idle, r.Runs[i].PeerIdle)
	}
	lines = append(lines, fmt.Sprintf("Without clients, while muster was measured, %s took %s %% of a core at most.", r.Peer, number(idle)))
	b.WriteString("\n")
	for _, line := range lines {
		b.WriteString("- " + line + "\n")
	}
}

// label is how many clients, and whether that row is void.
func (r *Row) label() string {
	if r.Void != "" {
		return count(r.Clients) + ", **void**"
	}
	return count(r.Clients)
}

// pair is the cell of a figure of both servers.
func pair(at func(*Figures) float64) func(*Row) string {
	return func(row *Row) string {
		return number(at(&row.Peer.Median)) + " / " + number(at(&row.Muster.Median))
	}
}

// number is a measured value with as many digits as count, and thousands set apart.
func number(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return count(int(math.Round(v)))
}

// count is a whole number, with thousands set apart.
func count(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// plain is a number as one writes it by hand.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
