package share

import (
	"encoding/json"

	"pacms/session"
	"pacms/session/redact"
)

// redact masks the secrets in all texts of a pool, ids among them. Tokens stay those of
// the texts as they were.
func (c *Case) redact(p *session.Pool, r *redact.Redactor) {
	text := func(s *string) { *s = r.Text(*s) }
	use := func(u session.ToolUse) session.ToolUse {
		text(&u.Name)
		text(&u.CallID)
		u.Args = json.RawMessage(r.JSON(u.Args))
		return u
	}
	text(&p.Session)
	text(&p.Query)
	pending := make([]session.Pending, len(p.Pending))
	for i, m := range p.Pending {
		text(&m.ID)
		text(&m.Text)
		pending[i] = m
	}
	p.Pending = pending[:len(pending):len(pending)]
	if len(pending) == 0 {
		p.Pending = nil
	}
	for i := range p.Candidates {
		m := &p.Candidates[i]
		for _, s := range []*string{&m.ID, &m.Text, &m.Group, &m.Internal} {
			text(s)
		}
		if m.Tool != nil {
			u := use(*m.Tool)
			m.Tool = &u
		}
		calls := make([]session.ToolUse, 0, len(m.Calls))
		for _, call := range m.Calls {
			calls = append(calls, use(call))
		}
		if len(calls) > 0 {
			m.Calls = calls
		}
	}
	for _, list := range []*[]string{&c.Config.Pins, &c.Config.Bans} {
		var masked []string
		for _, id := range *list {
			masked = append(masked, r.Text(id))
		}
		*list = masked
	}
}
