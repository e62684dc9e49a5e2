package openclaw

import "pacms/session"

// markForgotten fills in removedBy: the polls that the host forgets before it
// assembles a request, each with all that came of it, once the agent has
// acknowledged it. A poll that was answered with something to say stays.
func markForgotten(items []item) {
	// A compaction's summary is not where it was written: the host puts it
	// before everything else.
	order := make([]int, 0, len(items))
	for i := range items {
		if items[i].said.role != "compactionSummary" {
			order = append(order, i)
		}
	}
	for k := 0; k < len(order); {
		if !items[order[k]].said.poll {
			k++
			continue
		}
		end, forgotten := pollSpan(items, order, k)
		if !forgotten {
			k++
			continue
		}
		for _, i := range order[k:end] {
			items[i].removedBy = order[k]
		}
		k = end
	}
}

// pollSpan returns where the traffic of the poll at order[start] ends, and
// whether the host forgets it.
func pollSpan(items []item, order []int, start int) (end int, forgotten bool) {
	acknowledged, spoke := false, false
	k := start + 1
	for k < len(order) {
		s := items[order[k]].said
		isResult := s.kind == session.Tool
		switch {
		case s.kind == session.User:
			return k, acknowledged || !spoke
		case s.ack, s.quietReport && !s.loudReport:
			acknowledged = true
			for k+1 < len(order) && items[order[k+1]].said.kind == session.Tool {
				k++
			}
		case s.loudReport && reported(items, order, k):
			return k, false
		case acknowledged, isResult, len(s.calls) > 0:
		case s.kind == session.Assistant:
			spoke = true
		default:
			return k, false
		}
		k++
	}
	return k, acknowledged || !spoke
}

// reported reports whether a call of the report tool at order[k] was carried out.
func reported(items []item, order []int, k int) bool {
	for k++; k < len(order) && items[order[k]].said.kind == session.Tool; k++ {
		if s := items[order[k]].said; !s.isError {
			return true
		}
	}
	return false
}
