package openclaw

import "pacms/session"

// pairCalls fills in callAt, callIndex and repaired of all tool results.
func pairCalls(items []item) {
	messages := make([]session.Exchange, len(items))
	for i := range items {
		s := items[i].said
		messages[i] = session.Exchange{
			Calls: s.calls, IsResult: s.kind == session.Tool, Tool: s.toolName, CallID: s.toolCallID,
		}
	}
	for i, a := range session.Answers(messages) {
		items[i].callAt, items[i].callIndex, items[i].repaired = a.Message, a.Call, a.Repaired
	}
}
