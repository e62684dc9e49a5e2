package session

import "time"

// timeForms are the ways in which a time may be typed.
var timeForms = []string{"15:04", "15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05", time.RFC3339, "2006-01-02"}

// TurnAt is the index of the first turn of the active branch that is not before a
// time as people type it, -1 where all are; false where text is no time. A time
// without a day is on the day of the session's last turn; times are in UTC.
func (s *Session) TurnAt(text string) (i int, isTime bool) {
	for _, form := range timeForms {
		at, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		if at.Year() == 0 && len(s.Turns) > 0 {
			day := s.Turns[len(s.Turns)-1].Time.UTC()
			at = time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
		}
		for i := range s.Turns {
			if t := &s.Turns[i]; t.Branch == BranchActive && !t.Time.Before(at) {
				return i, true
			}
		}
		return -1, true
	}
	return -1, false
}
