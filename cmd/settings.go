package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacms/session/files"
	"pacms/tui/safe"
)

// configSchema names the format of a list of settings.
const configSchema = "pacms.config/1"

// configDocument is every setting with where it comes from.
type configDocument struct {
	Schema   string    `json:"schema"`
	File     string    `json:"file"`
	Settings []setting `json:"settings"`
}

// setting is what one flag would be, and why.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Origin is one of the sources of configure, and Place the variable, or the
	// file with the line, that says so.
	Origin string `json:"origin"`
	Place  string `json:"place,omitempty"`
	// Demo is the default of the demo, where that is another one.
	Demo string `json:"demo,omitempty"`
}

func newConfig(std streams, demo defaults) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings and where each comes from",
		Long: `config is about the settings that the environment and the configuration file may
make: show lists them with their origin, path says where the file is, and init
writes one in which every setting stands with its default.`,
		Example: "  pacms config show\n  pacms config init",
		Args:    noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigShow(std, demo), &cobra.Command{
		Use:   "path",
		Short: "Print where the configuration file is",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(std.out, configFile())
			return failedWrite(err)
		},
	}, &cobra.Command{
		Use:   "init",
		Short: "Write a configuration file with every setting in it, switched off",
		Long: `init writes a configuration file in which every setting stands as a comment with
what it means and its default. It never changes a file that is there.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return writeConfig(std) },
	})
	return cmd
}

func newConfigShow(std streams, demo defaults) *cobra.Command {
	f := new(flags)
	cmd := &cobra.Command{
		Use:   "show",
		Short: "List the settings with the origin of each",
		Long: `show lists every setting with its value and what set it: a flag, a variable of the
environment, a line of the configuration file, or nothing: then it is the default,
and where the demo has another one, that is said.
The flags of other commands may be given, to see what they would change. --json
prints one document (pacms.config/1).`,
		Example: "  pacms config show\n  PACMS_BUDGET=32k pacms config show --strategy topk",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, err := f.format()
			if err != nil {
				return err
			}
			doc, err := settingsOf(cmd.Flags(), demo)
			if err != nil {
				return err
			}
			if format == formatJSON {
				return writeJSON(std.out, doc)
			}
			return writeSettings(std, doc)
		},
	}
	f.addSettings(cmd.Flags())
	cmd.Flags().VisitAll(func(fl *pflag.Flag) { fl.Hidden = fl.Name != "json" && fl.Name != "plain" })
	return cmd
}

// settingsOf lists the settings with what the flags that were given make of them.
func settingsOf(flags *pflag.FlagSet, demo defaults) (*configDocument, error) {
	origin, err := configure(flags)
	if err != nil {
		return nil, err
	}
	path := configFile()
	lines, err := settingLines(path)
	if err != nil {
		return nil, err
	}
	doc := &configDocument{Schema: configSchema, File: path}
	for _, name := range configurable() {
		s := setting{Name: name, Value: flags.Lookup(name).Value.String(), Origin: origin[name]}
		switch s.Origin {
		case "":
			s.Origin = sourceDefault
			s.Demo = map[string]string{"budget": demo.budget, "strategy": demo.strategy}[name]
			if s.Demo == s.Value {
				s.Demo = ""
			}
		case sourceFlag:
			s.Place = "--" + name
		case sourceEnvironment:
			s.Place = envName(name)
		case sourceFile:
			s.Place = path
			if line, ok := lines[name]; ok {
				s.Place += ":" + strconv.Itoa(line)
			}
		}
		doc.Settings = append(doc.Settings, s)
	}
	return doc, nil
}

// settingLines finds the line of each setting in the configuration file at path.
// There need not be one.
func settingLines(path string) (map[string]int, error) {
	text, err := files.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	lines := make(map[string]int)
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue {
			continue
		}
		if key := e.Key(); key.Next() {
			lines[string(key.Node().Data)] = p.Shape(key.Node().Raw).Start.Line
		}
	}
	return lines, nil
}

// writeSettings prints a setting a line: name, value and origin.
func writeSettings(std streams, doc *configDocument) error {
	out := bufio.NewWriter(std.out)
	name, value := 0, 0
	for _, s := range doc.Settings {
		name, value = max(name, len(s.Name)), max(value, len(s.Value))
	}
	for _, s := range doc.Settings {
		origin := s.Origin
		if s.Place != "" {
			origin += " " + s.Place
		}
		if s.Demo != "" {
			origin += ", in the demo " + s.Demo
		}
		fmt.Fprintf(out, "%-*s  %-*s  %s\n", name, s.Name, min(value, 24), orNothing(safe.Line(s.Value)), safe.Line(origin))
	}
	return failedWrite(out.Flush())
}

// orNothing shows an empty value.
func orNothing(value string) string {
	if value == "" {
		return `""`
	}
	return value
}

// writeConfig writes the configuration file, unless there is one.
func writeConfig(std streams) error {
	path := configFile()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the configuration: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already and stays as it is", path)
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	_, err = file.WriteString(configText())
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("write the configuration %s: %w", path, err)
	}
	_, err = fmt.Fprintln(std.out, path)
	return failedWrite(err)
}

// configText is a configuration file that sets nothing and names everything.
func configText() string {
	f := new(flags)
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.addSettings(fs)
	addColor(fs)
	var b strings.Builder
	b.WriteString("# Settings of pacms. A flag wins over the environment, the environment over this\n# file. Take the # from a line to set what it says.\n")
	for _, name := range configurable() {
		fl := fs.Lookup(name)
		value := fl.Value.String()
		if kind := fl.Value.Type(); kind != "bool" && kind != "int" {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&b, "\n# %s\n# %s = %s\n", fl.Usage, name, value)
	}
	return b.String()
}
