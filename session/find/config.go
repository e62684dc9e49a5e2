package find

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// maxConfig is how much of a configuration is looked at.
const maxConfig = 4 << 20

// agentDir is the setting that moves an agent's folder. The configuration is
// JSON5, of which nothing else matters here; what is not there does no harm.
var agentDir = regexp.MustCompile(`["']?\bagentDir["']?\s*:\s*["']([^"'\r\n]+)["']`)

// movedAgents lists the folders to which the configuration of a host moves the
// databases of agents; none where it cannot be read.
func movedAgents(path, home string) []string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig))
	if err != nil {
		return nil
	}
	var dirs []string
	for _, m := range agentDir.FindAllSubmatch(data, -1) {
		dir := expand(string(m[1]), home)
		if filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// agentOf is the name of the agent whose folder is dir.
func agentOf(dir string) string {
	if filepath.Base(dir) == "agent" {
		dir = filepath.Dir(dir)
	}
	return filepath.Base(dir)
}
