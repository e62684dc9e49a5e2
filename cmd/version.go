package cmd

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build says which build of the program this is.
type build struct {
	Version string `json:"version"`
	// Revision and Time are those of the commit; empty where the build was made
	// outside a checkout.
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	// Modified is true where the checkout had changes that were not committed.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// readBuild reads what the Go toolchain wrote into the binary.
func readBuild() build {
	b := build{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "(devel)" {
		b.Version = cmp.Or(info.Main.Version, b.Version)
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String is the build in one line.
func (b build) String() string { return fmt.Sprintf("%s (%s, %s)", b.Version, b.Go, b.Platform) }

func newVersion(std streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Say which build this is",
		Example: "  pacms version --json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(std.out, readBuild())
			}
			_, err := fmt.Fprintln(std.out, "pacms", readBuild())
			return failedWrite(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
