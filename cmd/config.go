package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
	"github.com/knadh/koanf/parsers/toml/v2"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/v2"
	tomlv2 "github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"pacms/session/files"
)

// Where the value of a setting came from.
const (
	sourceFlag        = "flag"
	sourceEnvironment = "environment"
	sourceFile        = "file"
	sourceDefault     = "default"
	sourceRecorded    = "recorded" // in a capture
)

const envPrefix = "PACMS_"

// maxConfig is more bytes than any configuration file has.
const maxConfig = 1 << 20

// configFile is the path of the user's configuration file.
func configFile() string { return filepath.Join(xdg.ConfigHome, "pacms", "config.toml") }

// configure gives every flag that the command line left alone its value from
// the environment or else from the user's configuration file. It returns where
// each setting came from; one that is missing there has its default.
func configure(flags *pflag.FlagSet) (map[string]string, error) {
	environment, err := loadEnvironment()
	if err != nil {
		return nil, err
	}
	path := configFile()
	user, err := loadFile(path)
	if err != nil {
		return nil, err
	}
	origin := map[string]string{}
	for _, name := range configurable() {
		fl := flags.Lookup(name)
		switch {
		case fl == nil:
		case fl.Changed:
			origin[name] = sourceFlag
		case environment.Exists(name):
			if err := fl.Value.Set(environment.String(name)); err != nil {
				return nil, usagef("the environment variable %s cannot be %q: %w", envName(name), environment.String(name), valueError(fl, err))
			}
			origin[name] = sourceEnvironment
		case user.Exists(name):
			value, err := settingText(fl, user.Get(name))
			if err != nil {
				return nil, usagef("%s %w", lineOf(path, name), err)
			}
			if err := fl.Value.Set(value); err != nil {
				return nil, usagef("%s cannot be %q: %w", lineOf(path, name), value, valueError(fl, err))
			}
			origin[name] = sourceFile
		}
	}
	return origin, nil
}

// blame names what set a setting, for what is wrong with it: the flag, the variable
// of the environment, or the line of the configuration file.
func blame(origin map[string]string, name string) string {
	switch origin[name] {
	case sourceEnvironment:
		return envName(name)
	case sourceFile:
		return lineOf(configFile(), name)
	}
	return "--" + name
}

// lineOf names a setting of the configuration file at path with its line.
func lineOf(path, name string) string {
	if lines, err := settingLines(path); err == nil && lines[name] > 0 {
		path += fmt.Sprintf(" line %d", lines[name])
	}
	return path + ": " + name
}

// settingText is a value of the configuration file as a flag takes it.
func settingText(fl *pflag.Flag, value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool, int64:
		return fmt.Sprint(v), nil
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return strconv.FormatFloat(v, 'f', -1, 64), nil
		}
	}
	switch fl.Value.Type() {
	case "bool":
		return "", errors.New("must be true or false")
	case "int":
		return "", errors.New("must be a whole number")
	}
	return "", fmt.Errorf("must be a string, as in %s = %q", fl.Name, fl.DefValue)
}

// loadEnvironment reads the variables that set a flag.
func loadEnvironment() (*koanf.Koanf, error) {
	k := koanf.New(".")
	provider := env.Provider(".", env.Opt{Prefix: envPrefix, TransformFunc: func(name, value string) (string, any) {
		if value == "" { // an empty variable is one that is not set
			return "", nil
		}
		return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, envPrefix)), "_", "-"), value
	}})
	if err := k.Load(provider, nil); err != nil {
		return nil, fmt.Errorf("read the environment: %w", err)
	}
	for _, key := range k.Keys() {
		if !slices.Contains(configurable(), key) {
			var known []string
			for _, name := range configurable() {
				known = append(known, envName(name))
			}
			return nil, usagef("the environment variable %s sets nothing%s", envName(key), didYouMean(envName(key), known))
		}
	}
	return k, nil
}

// provided is a text that koanf parses.
type provided []byte

// ReadBytes returns the text.
func (p provided) ReadBytes() ([]byte, error) { return p, nil }

// Read fails: a text has to be parsed.
func (provided) Read() (map[string]any, error) {
	return nil, errors.New("a text is not parsed yet")
}

// loadFile reads the configuration file at path. There need not be one.
func loadFile(path string) (*koanf.Koanf, error) {
	k := koanf.New(".")
	text, err := files.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, usagef("read the configuration: %w", err)
	}
	if err := k.Load(provided(text), toml.Parser()); err != nil {
		var syntax *tomlv2.DecodeError
		if errors.As(err, &syntax) {
			line, column := syntax.Position()
			return nil, usagef("%s line %d column %d: %w", path, line, column, err)
		}
		return nil, usagef("read the configuration: %w", err)
	}
	for _, key := range k.Keys() {
		if !slices.Contains(configurable(), key) {
			return nil, usagef("%s: there is no setting %q%s", path, key, didYouMean(key, configurable()))
		}
	}
	return k, nil
}

// envName is the environment variable that sets the flag name.
func envName(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}
