package admin

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"muster/internal/metric"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/sched/ladder"
	"muster/sched/tickstats"
)

// A Gate is what metrics ask a gateway. *gateway.Gate is one.
type Gate interface {
	Stats() gateway.Stats
	OnlinePlayers() []gateway.OnlinePlayer
	Packets(visit func(d msg.Direction, name string, n uint64))
	Queues(visit func(bytes int))
}

// A Journal is the state of one for metrics.
type Journal struct {
	Pending  int           // characters whose latest state the store does not have yet
	Bytes    int64         // of all files
	Lag      time.Duration // for how long the store has taken nothing, while something was pending
	Degraded bool          // what is saved is not safe
	SaveTime *metric.Histogram
}

// A Family is a metric, or several that differ in labels alone.
type Family struct {
	Name, Type string
	Labels     []string // beside realm and role, which all have
	About      string
}

var worldLabels = []string{"map", "instance"}

// Families are all metrics of GET /metrics, except those of the Go runtime and of the process.
var Families = slices.Concat(ServerFamilies, busFamilies, orchestratorFamilies)

// busFamilies are those of processes that are connected with NATS.
var busFamilies = []Family{
	{"muster_bus_lost_messages_total", "counter", nil, "Messages that NATS has delivered and the process has lost, as too many waited to be taken from a subscription. What they were of is sent again, made up for, or not needed; there are none without NATS."},
}

// orchestratorFamilies are those of orchestrators alone.
var orchestratorFamilies = []Family{
	{"muster_orchestrator_leads", "gauge", nil, "1 while this orchestrator gives shards to workers, 0 while another one does, or none. One that does not lead knows nothing of the shards and workers below."},
	{"muster_workers", "gauge", nil, "Workers whose lease is not over, to the orchestrator that leads."},
	{"muster_shards_unassigned", "gauge", nil, "Worlds, with instances, that none of those workers has been given."},
	{"muster_standbys", "gauge", []string{"state"}, "Standbys that those worlds have (placed), and lack of what --standbys says (missing)."},
	{"muster_shards_given_total", "counter", nil, "Worlds that this orchestrator has given to workers since its start, each as often as that was."},
	{"muster_shards_moved_total", "counter", nil, "Worlds that this orchestrator has moved to workers with less load since its start, each as often as that was; not those that muster ctl cluster move has."},
}

// ServerFamilies are those of muster serve.
var ServerFamilies = []Family{
	{"muster_tick_seconds", "histogram", worldLabels, "How long ticks took."},
	{"muster_tick_system_seconds", "histogram", append(worldLabels[:2:2], "system"), "How long a system took in the ticks in which it ran."},
	{"muster_tick_overrun_total", "counter", worldLabels, "Ticks that took longer than their step, or came so late that others were skipped."},
	{"muster_tick_skipped_total", "counter", worldLabels, "Ticks that were skipped."},
	{"muster_tick_step_seconds", "gauge", worldLabels, "The longest step of a world."},
	{"muster_tick_running_seconds", "gauge", worldLabels, "For how long the tick has been running that has not ended; 0 if none runs."},
	{"muster_map_resting", "gauge", worldLabels, "1 while a world is not stepped, for it has no players and nothing that is awake; what else is told of it is of its last tick."},
	{"muster_step_seconds", "gauge", nil, "The present step of the worlds."},
	{"muster_flush_period_seconds", "gauge", nil, "The present time between two flushes of a player."},
	{"muster_rung_seconds_total", "counter", []string{"rung"}, "Time spent on each rung of the ladder, which is named by the step and the steps between two flushes of a player."},
	{"muster_rung_changes_total", "counter", []string{"direction"}, "Changes to a longer time between two flushes (up), for what the server takes was too much, and to a shorter one (down)."},
	{"muster_inbox_items", "gauge", worldLabels, "Packets and operations that the last tick read."},
	{"muster_inbox_bytes", "gauge", worldLabels, "What they took."},
	{"muster_entities", "gauge", append(worldLabels[:2:2], "kind"), "Things in a world as of its last tick, by kind: player, creature, corpse."},
	{"muster_entities_awake", "gauge", worldLabels, "Things that the last tick simulated, since an observer may see them."},
	{"muster_entities_asleep", "gauge", worldLabels, "Things that it did not."},
	{"muster_crowd_entities", "gauge", worldLabels, "Things that are awake in the fullest cell."},
	{"muster_players", "gauge", worldLabels, "Players in a world as of its last tick."},
	{"muster_sessions", "gauge", []string{"state"}, "Connections of players, by the state of their sessions: fresh, select, entering, world, transfer, queued."},
	{"muster_sessions_peak", "gauge", nil, "The most that were let in at a time."},
	{"muster_packets_total", "counter", []string{"dir", "opcode"}, "Packets read from clients (in) and sent to them (out), by the name of the opcode; those without one are unknown."},
	{"muster_sent_bytes_total", "counter", nil, "Bytes sent to clients of the world."},
	{"muster_flushes_total", "counter", nil, "Calls that sent players bytes of frames."},
	{"muster_send_queue_bytes", "histogram", nil, "What players in worlds have not taken yet. It is of the players that there are, not of all that were: no rate can be taken of it."},
	{"muster_sessions_closed_total", "counter", []string{"reason"}, "Connections to the world that were closed."},
	{"muster_auth_attempts_total", "counter", []string{"result"}, "Conversations of the login server, by how they went on or ended."},
	{"muster_control_refused_total", "counter", []string{"reason"}, "Operations of the control over HTTP that were not executed, by the reason in their answers."},
	{"muster_events_total", "counter", []string{"reason"}, "Everything else that is counted, by reason."},
	{"muster_db_save_seconds", "histogram", nil, "How long the store took for a batch of characters; nothing without a journal."},
	{"muster_journal_lag_seconds", "gauge", nil, "For how long the store has taken nothing while something was pending."},
	{"muster_journal_pending", "gauge", nil, "Characters that the store does not have as they are."},
	{"muster_journal_bytes", "gauge", nil, "The files of the journal."},
	{"muster_journal_degraded", "gauge", nil, "1 while what is saved does not get to the disk."},
}

// compat are the gauges of ToCloud9, which dashboards made for it ask for.
//
// Source: shared/healthandmetrics, ToCloud9.
var compat = []Family{
	{"active_connections", "gauge", nil, "Players in worlds."},
	{"delay_mean", "gauge", nil, "Milliseconds that the ticks of the last 25 s took, of the slowest world."},
	{"delay_median", "gauge", nil, "Likewise, the median."},
	{"delay_95_percentile", "gauge", nil, "Likewise, what 95 % stay below."},
	{"delay_99_percentile", "gauge", nil, "Likewise, what 99 % stay below."},
	{"delay_max", "gauge", nil, "Likewise, the most."},
}

// A collector makes metrics on request, from what worlds, gateway and counters have in any case: a tick does nothing
// for them.
type collector struct {
	config   *Config
	families map[string]*prometheus.Desc
	out      chan<- prometheus.Metric
}

func newCollector(c *Config) *collector {
	all := &collector{config: c, families: make(map[string]*prometheus.Desc)}
	families := Families
	if c.Compat {
		families = append(families[:len(families):len(families)], compat...)
	}
	for _, f := range families {
		all.families[f.Name] = prometheus.NewDesc(f.Name, f.About, f.Labels, c.labels())
	}
	return all
}

// labels are those that all metrics have.
func (c *Config) labels() prometheus.Labels {
	return prometheus.Labels{"realm": c.Realm, "role": c.Role}
}

// metrics answers GET /metrics.
func metrics(c *Config) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(newCollector(c))
	prometheus.WrapRegistererWith(c.labels(), r).MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.families {
		out <- d
	}
}

// Collect implements prometheus.Collector. It runs in several goroutines at a time.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	one := &collector{c.config, c.families, out}
	for _, p := range c.config.worlds() {
		one.world(p)
	}
	if c.config.Pacer != nil {
		one.pace(c.config.Pacer)
	}
	if c.config.Gate != nil {
		one.gate(c.config.Gate)
	}
	one.counters(c.config.Metric)
	if c.config.Journal != nil {
		j := c.config.Journal()
		one.journal(&j)
	}
	if c.config.BusLost != nil {
		one.counter("muster_bus_lost_messages_total", c.config.BusLost())
	}
	if c.config.Assignment != nil {
		one.assignment(c.config.Assignment())
	}
	if c.config.Compat {
		one.compat()
	}
}

func (c *collector) pace(p *ladder.Pacer) {
	c.gauge("muster_step_seconds", p.Step().Seconds())
	c.gauge("muster_flush_period_seconds", p.Period().Seconds())
	up, down := p.Changes()
	c.counter("muster_rung_changes_total", up, "up")
	c.counter("muster_rung_changes_total", down, "down")
	p.Spent(func(name string, spent time.Duration) {
		c.out <- prometheus.MustNewConstMetric(c.families["muster_rung_seconds_total"], prometheus.CounterValue, spent.Seconds(), name)
	})
}

func (c *collector) gauge(name string, v float64, labels ...string) {
	c.out <- prometheus.MustNewConstMetric(c.families[name], prometheus.GaugeValue, v, labels...)
}

func (c *collector) counter(name string, n uint64, labels ...string) {
	c.out <- prometheus.MustNewConstMetric(c.families[name], prometheus.CounterValue, float64(n), labels...)
}

func (c *collector) histogram(name string, h *metric.Histogram, labels ...string) {
	upTo, n, sum := h.Read()
	c.out <- prometheus.MustNewConstHistogram(c.families[name], n, sum.Seconds(), upTo, labels...)
}

func (c *collector) world(p *tickstats.Stats) {
	m, instance := strconv.Itoa(int(p.Map)), strconv.FormatUint(uint64(p.Instance), 10)
	last, _ := p.Latest()
	c.histogram("muster_tick_seconds", p.Ticks, m, instance)
	for _, s := range p.Systems() {
		c.histogram("muster_tick_system_seconds", s.Took, m, instance, s.Name)
	}
	c.counter("muster_tick_overrun_total", p.Late.Load(), m, instance)
	c.counter("muster_tick_skipped_total", p.Skipped.Load(), m, instance)
	c.gauge("muster_tick_step_seconds", p.Step.Seconds(), m, instance)
	running, _ := p.Running()
	c.gauge("muster_tick_running_seconds", running.For.Seconds(), m, instance)
	resting := 0.0
	if p.Resting() {
		resting = 1
	}
	c.gauge("muster_map_resting", resting, m, instance)
	c.gauge("muster_inbox_items", float64(last.Load.Items), m, instance)
	c.gauge("muster_inbox_bytes", float64(last.Load.Bytes), m, instance)
	c.gauge("muster_entities", float64(last.Load.Players), m, instance, "player")
	c.gauge("muster_entities", float64(last.Load.Creatures), m, instance, "creature")
	c.gauge("muster_entities", float64(last.Load.Corpses), m, instance, "corpse")
	c.gauge("muster_entities_awake", float64(last.Load.Awake), m, instance)
	c.gauge("muster_entities_asleep", float64(last.Load.Asleep), m, instance)
	c.gauge("muster_players", float64(last.Load.Players), m, instance)
	crowd := 0
	if all := p.Crowds(); len(all) > 0 {
		crowd = all[0].Things
	}
	c.gauge("muster_crowd_entities", float64(crowd), m, instance)
}

// queueBounds divide what waits to be sent, in bytes, up to the most that a gateway keeps.
var queueBounds = []float64{0, 1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20}

func (c *collector) gate(g Gate) {
	s := g.Stats()
	for _, state := range []struct {
		name string
		n    int
	}{{"fresh", s.Fresh}, {"select", s.Select}, {"entering", s.Entering}, {"world", s.World}, {"transfer", s.Transfer}, {"queued", s.Queued}} {
		c.gauge("muster_sessions", float64(state.n), state.name)
	}
	c.gauge("muster_sessions_peak", float64(s.Peak))
	c.counter("muster_sent_bytes_total", s.Bytes)
	c.counter("muster_flushes_total", s.Flushes)
	g.Packets(func(d msg.Direction, name string, n uint64) {
		dir := "in"
		if d == msg.ToClient {
			dir = "out"
		}
		c.counter("muster_packets_total", n, dir, name)
	})
	upTo, n, sum := make(map[float64]uint64), uint64(0), 0.0
	for _, bound := range queueBounds {
		upTo[bound] = 0
	}
	g.Queues(func(bytes int) {
		n++
		sum += float64(bytes)
		for _, bound := range queueBounds {
			if float64(bytes) <= bound {
				upTo[bound]++
			}
		}
	})
	c.out <- prometheus.MustNewConstHistogram(c.families["muster_send_queue_bytes"], n, sum, upTo)
}

func (c *collector) counters(t *metric.Table) {
	t.Each(func(name string, n uint64) {
		if reason, ok := strings.CutPrefix(name, "closed."); ok {
			c.counter("muster_sessions_closed_total", n, reason)
		} else if result, ok := strings.CutPrefix(name, "auth."); ok {
			c.counter("muster_auth_attempts_total", n, result)
		} else if reason, ok := strings.CutPrefix(name, "control."); ok {
			c.counter("muster_control_refused_total", n, reason)
		} else {
			c.counter("muster_events_total", n, name)
		}
	})
}

func (c *collector) journal(j *Journal) {
	if j.SaveTime == nil {
		j.SaveTime = new(metric.Histogram)
	}
	c.histogram("muster_db_save_seconds", j.SaveTime)
	c.gauge("muster_journal_lag_seconds", j.Lag.Seconds())
	c.gauge("muster_journal_pending", float64(j.Pending))
	c.gauge("muster_journal_bytes", float64(j.Bytes))
	degraded := 0.0
	if j.Degraded {
		degraded = 1
	}
	c.gauge("muster_journal_degraded", degraded)
}

// An Assignment is what an orchestrator knows of the worlds of its realm. One that does not lead knows what it has given before, and no more.
type Assignment struct {
	Leads           bool
	Workers         int
	Unassigned      int    // worlds that no worker has
	Placed, Missing int    // standbys
	Given           uint64 // worlds, to workers
	Moved           uint64 // worlds, to even out loads
}

func (c *collector) assignment(a Assignment) {
	leads := 0.0
	if a.Leads {
		leads = 1
	}
	c.gauge("muster_orchestrator_leads", leads)
	c.gauge("muster_workers", float64(a.Workers))
	c.gauge("muster_shards_unassigned", float64(a.Unassigned))
	c.gauge("muster_standbys", float64(a.Placed), "placed")
	c.gauge("muster_standbys", float64(a.Missing), "missing")
	c.counter("muster_shards_given_total", a.Given)
	c.counter("muster_shards_moved_total", a.Moved)
}

// compatTime is the time whose ticks the gauges of compat are of: 500 ticks of 50 ms.
const compatTime = 25 * time.Second

func (c *collector) compat() {
	players := 0
	if c.config.Gate != nil {
		players = c.config.Gate.Stats().World
	}
	c.gauge("active_connections", float64(players))
	var slowest tickstats.Summary
	for _, p := range c.config.worlds() {
		if s := p.Summary(compatTime); s.Mean > slowest.Mean {
			slowest = s
		}
	}
	for _, d := range []struct {
		name string
		took time.Duration
	}{{"mean", slowest.Mean}, {"median", slowest.Median}, {"95_percentile", slowest.P95}, {"99_percentile", slowest.P99}, {"max", slowest.Most}} {
		c.gauge("delay_"+d.name, d.took.Seconds()*1000)
	}
}
