package service

import "net/http"

// Build says which build of the program answers.
type Build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Name is what /healthz and /version call the service, by which another start of the program
// knows it.
const Name = "pacms"

// healthz says that the service is up.
func (s *Service) healthz(w *answer, _ *http.Request) error {
	return s.write(w, http.StatusOK, map[string]string{"service": Name, "status": "ok"})
}

// Ready is what /readyz answers.
type Ready struct {
	Ready bool `json:"ready"`
	// Selector is "ok", or "starting" before its first selection.
	Selector string `json:"selector"`
	// Captures is "ok", "off", or what keeps them from being stored.
	Captures string `json:"captures"`
}

// readyz says whether requests are answered at once and captures are kept.
func (s *Service) readyz(w *answer, _ *http.Request) error {
	doc := Ready{Ready: true, Selector: "ok", Captures: "ok"}
	if !s.warm.Load() {
		doc.Ready, doc.Selector = false, "starting"
	}
	if s.Recorder == nil {
		doc.Captures = "off"
	} else if trouble := s.Recorder.State().Trouble; trouble != "" {
		doc.Ready, doc.Captures = false, trouble
	}
	status := http.StatusOK
	if !doc.Ready {
		status = http.StatusServiceUnavailable
	}
	return s.write(w, status, doc)
}

// Version is what /version answers.
type Version struct {
	Service string `json:"service"`
	API     string `json:"api"`
	Build
}

// version says which build this is.
func (s *Service) version(w *answer, _ *http.Request) error {
	return s.write(w, http.StatusOK, Version{Service: Name, API: "v1", Build: s.Build})
}

// tellTrouble logs that captures cannot be written, and that they can again, once each.
func (s *Service) tellTrouble() {
	if s.Recorder == nil {
		return
	}
	state := s.Recorder.State()
	troubled := state.Trouble != ""
	switch was := s.troubled.Swap(troubled); {
	case troubled && !was:
		s.Log.Warn("selections are answered, but "+state.Trouble, "lost", state.Dropped)
	case was && !troubled:
		s.Log.Info("captures are written again")
	}
}
