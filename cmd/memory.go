package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"pacms/session"
	"pacms/session/memory"
	"pacms/session/openclaw"
)

// addMemory defines the flag that offers a memory folder with a replay.
func (f *flags) addMemory(fs *pflag.FlagSet) {
	fs.StringVar(&f.memory, "memory", "",
		"offer the entries of this memory folder (or of the workspace that has it) in every turn, as they are today")
}

// withMemory is src with the entries of the memory folder dir in every turn; setBy is
// what names that.
func withMemory(src source, setBy, dir string) source {
	load := src.load
	src.load = func(ctx context.Context, opt openclaw.Options) (*session.Session, error) {
		m, err := memory.Load(dir, opt.Counter)
		if err != nil {
			return nil, usagef("%s: %w", setBy, err)
		}
		s, err := load(ctx, opt)
		if err != nil {
			return nil, err
		}
		if s.Pools != nil {
			return nil, usagef("%s: %s holds pools, which have their memory in them", setBy, src.title)
		}
		remember(s, m)
		return s, nil
	}
	return src
}

// remember offers a memory in every turn of s.
func remember(s *session.Session, m *memory.Memory) {
	s.Remember(m.Entries, m.Host)
	s.Warnings = append(s.Warnings, m.Warnings...)
	if n := len(m.Entries); n > 0 {
		s.Warnings = append(s.Warnings, session.Warning{
			Code: "memory_today", Count: n,
			Message: "memory as of today: " + session.Counted(n, "item") + ", which the recorded turns may not have had",
		})
	}
	if len(m.Host) > 0 {
		s.Warnings = append(s.Warnings, session.Warning{
			Code: "host_sent", Message: "sent by the host, outside the budget: " + hostFiles(m.Host), Count: len(m.Host),
		})
	}
}

func hostFiles(files []session.HostFile) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = fmt.Sprintf("%s (%s)", f.Name, session.Counted(f.Tokens, "token"))
	}
	return strings.Join(names, ", ")
}
