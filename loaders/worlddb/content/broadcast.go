package content

import "muster/loaders/worlddb"

// A spokenRow is a row of broadcast_text, as far as others name it.
type spokenRow struct {
	ID       int64  `column:"id" key:""`
	Language int64  `column:"languageid language" or:"0"`
	Male     string `column:"maletext text" or:""`
	Female   string `column:"femaletext text1" or:""`
}

// A namedRow is what rows of other tables name of broadcast_text.
type namedRow struct {
	Text   int64 `column:"broadcasttextid" or:"0"`
	Option int64 `column:"optionbroadcasttextid option_broadcast_text" or:"0"`
	Box    int64 `column:"boxbroadcasttextid box_broadcast_text" or:"0"`
	Texts  [8]struct {
		ID int64 `column:"broadcasttextid%" or:"0"`
	}
}

// spoken are the texts that rows of other tables name.
type spoken struct {
	rows map[int64]spokenRow
	said map[int64]bool // by rows that are executed
}

// say is a text for a row that is executed; its zero value if it is not there.
func (s *spoken) say(id int64) spokenRow {
	r, ok := s.rows[id]
	if ok {
		s.said[id] = true
	}
	return r
}

// readSpoken reads the texts that menus and creatures say. Other rows of broadcast_text, which are most, are left.
func (l *loader) readSpoken() error {
	l.spoken = spoken{make(map[int64]spokenRow), make(map[int64]bool)}
	if !l.src.Has("broadcast_text") {
		return nil
	}
	named := make(map[int64]bool)
	for _, table := range []string{"creature_text", "gossip_menu_option", "npc_text", "npc_text_broadcast_text"} {
		err := worlddb.Read(l.ctx, l.src, table, func(r *namedRow) error {
			named[r.Text], named[r.Option], named[r.Box] = true, true, true
			for _, t := range r.Texts {
				named[t.ID] = true
			}
			return nil
		})
		if err != nil && !isMissing(err) {
			return err
		}
	}
	type nodeTalkRow struct {
		Command int64 `column:"command"`
		Int     int64 `column:"dataint" or:"0"`
	}
	if err := worlddb.Read(l.ctx, l.src, "waypoint_scripts", func(r *nodeTalkRow) error {
		named[r.Int] = named[r.Int] || r.Command == nodeTalk
		return nil
	}); err != nil && !isMissing(err) {
		return err
	}
	delete(named, 0)
	return read(l, "broadcast_text", func(r *spokenRow) string {
		if !named[r.ID] {
			return unsaid
		}
		l.spoken.rows[r.ID] = *r
		return ""
	})
}

// Why texts are not executed.
const unsaid = "no menu and no creature that is executed says it"

// countSpoken moves texts that only rows name that are refused to those that are not executed. It comes last.
func (l *loader) countSpoken() error {
	if n := int64(len(l.spoken.rows) - len(l.spoken.said)); n > 0 {
		u := l.of("broadcast_text")
		u.Executed -= n
		u.Not[unsaid] += n
	}
	return nil
}
