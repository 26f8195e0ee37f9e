package admin

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/net/gateway"
)

// maxSessions bounds the sessions of one answer.
const maxSessions = 1000

// Sessions is the answer to GET /api/sessions?q=ann&sort=queued&desc=1&from=0&n=100: a part of the players in worlds
// whose name, account, address or map has a text, in an order.
type Sessions struct {
	Total    int       `json:"total"` // players in worlds
	Found    int       `json:"found"` // of which so many have the text
	From     int       `json:"from"`
	Sessions []Session `json:"sessions"`
}

// A Session is a player in a world.
type Session struct {
	ID      uint64 `json:"id"` // of the connection, as in the log
	Name    string `json:"name"`
	GUID    uint64 `json:"guid,string"`
	Account uint32 `json:"account"`
	Level   uint8  `json:"level"` // the present one
	Map     uint32 `json:"map"`
	From    string `json:"address"`
	In      uint64 `json:"in_bytes"` // received from its client, since that connected
	Out     uint64 `json:"out_bytes"`
	Queued  int    `json:"queued_bytes"` // which its client has not taken yet
	WaitsMs int64  `json:"waits_ms"`     // for how long the first of them have waited
}

// orders are what sessions can be sorted by, and how.
var orders = map[string]func(a, b *gateway.OnlinePlayer) int{
	"":        func(a, b *gateway.OnlinePlayer) int { return 0 }, // of their session numbers
	"name":    func(a, b *gateway.OnlinePlayer) int { return strings.Compare(a.Name, b.Name) },
	"account": func(a, b *gateway.OnlinePlayer) int { return cmp.Compare(a.Account, b.Account) },
	"level":   func(a, b *gateway.OnlinePlayer) int { return cmp.Compare(a.Level, b.Level) },
	"map":     func(a, b *gateway.OnlinePlayer) int { return cmp.Compare(a.Map, b.Map) },
	"address": func(a, b *gateway.OnlinePlayer) int { return strings.Compare(a.From, b.From) },
	"in":      func(a, b *gateway.OnlinePlayer) int { return cmp.Compare(a.In, b.In) },
	"out":     func(a, b *gateway.OnlinePlayer) int { return cmp.Compare(a.Out, b.Out) },
	"queued":  func(a, b *gateway.OnlinePlayer) int { return cmp.Compare(a.Queued, b.Queued) },
	"waits":   func(a, b *gateway.OnlinePlayer) int { return cmp.Compare(a.Waits, b.Waits) },
}

func (s *Server) sessions(w http.ResponseWriter, r *http.Request) {
	from, ok := number(w, r, "from", 0, 1<<31-1)
	n, ok2 := number(w, r, "n", 100, maxSessions)
	if !ok || !ok2 {
		return
	}
	query := r.URL.Query()
	order := orders[query.Get("sort")]
	if order == nil {
		http.Error(w, "sort is name, account, level, map, address, in, out, queued or waits", http.StatusBadRequest)
		return
	}
	var all []gateway.OnlinePlayer
	if s.config.Gate != nil {
		all = s.config.Gate.OnlinePlayers()
	}
	answer := Sessions{Total: len(all), From: from, Sessions: []Session{}}
	all = s.having(all, strings.ToLower(query.Get("q")))
	slices.SortStableFunc(all, func(a, b gateway.OnlinePlayer) int {
		if query.Get("desc") != "" {
			return order(&b, &a)
		}
		return order(&a, &b)
	})
	answer.Found = len(all)
	from = min(from, len(all))
	for _, p := range all[from:min(from+n, len(all))] {
		answer.Sessions = append(answer.Sessions, Session{
			p.ID, p.Name, p.GUID, p.Account, p.Level, p.Map, p.From, p.In, p.Out, p.Queued, int64(p.Waits / time.Millisecond),
		})
	}
	writeJSON(w, answer)
}

// having are the players whose name, account, address or map has a text in lower case.
func (s *Server) having(all []gateway.OnlinePlayer, text string) []gateway.OnlinePlayer {
	if text == "" {
		return all
	}
	return slices.DeleteFunc(all, func(p gateway.OnlinePlayer) bool {
		return !strings.Contains(strings.ToLower(p.Name), text) && !strings.Contains(p.From, text) &&
			text != strconv.Itoa(int(p.Account)) && !strings.Contains(strings.ToLower(s.mapName(p.Map)), text)
	})
}

func (s *Server) mapName(id uint32) string {
	for _, p := range s.config.worlds() {
		if p.Map == id {
			return p.Name
		}
	}
	return ""
}
