package flags

import (
	"log/slog"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"muster/internal/config"
)

// configFlag is the one flag that names a file of settings and cannot be in one.
const configFlag = "config"

// Load finds settings of a command's flags in a file and in the environment. A flag on the command
// line has precedence over the environment, that over the file, and that over the default.
func Load(command *kong.Context, variables []string) (config.Set, error) {
	flags := make(map[string]*kong.Flag)
	for _, f := range command.Selected().Flags {
		flags[config.Key(f.Name)] = f
	}
	fileKey := config.Key(configFlag)
	keys := slices.Sorted(maps.Keys(flags))
	variables = withoutOthers(command, flags, variables)
	fromEnvironment, err := config.Merge(keys, nil, variables)
	if err != nil {
		return nil, err
	}
	name, _ := command.FlagValue(flags[fileKey]).(string)
	if name == "" {
		name = fromEnvironment[fileKey].Value
	}
	if name == "" {
		return fromEnvironment, check(flags, fromEnvironment)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := config.Parse(name, file)
	if err != nil {
		return nil, err
	}
	for _, s := range lines {
		if s.Key == fileKey {
			return nil, &config.Error{Source: s.Source, Key: s.Key, Err: config.ErrUnknown}
		}
	}
	set, err := config.Merge(keys, linesOf(command, flags, lines), variables)
	if err != nil {
		return nil, err
	}
	return set, check(flags, set)
}

// configured are the verbs that read files and the environment.
func configured(command *kong.Context) []*kong.Node {
	return slices.DeleteFunc(command.Model.Leaves(false), func(verb *kong.Node) bool {
		return !slices.ContainsFunc(verb.Flags, func(f *kong.Flag) bool { return f.Name == configFlag })
	})
}

// othersOnly are the keys of flags that other verbs have and this one has not.
func othersOnly(command *kong.Context, flags map[string]*kong.Flag) map[string]bool {
	others := make(map[string]bool)
	for _, verb := range configured(command) {
		for _, f := range verb.Flags {
			if key := config.Key(f.Name); flags[key] == nil {
				others[key] = true
			}
		}
	}
	return others
}

// withoutOthers is an environment without the variables of flags that only other verbs have: processes of several verbs
// may share one, as that of the container image. A variable of no verb stays, and is refused.
func withoutOthers(command *kong.Context, flags map[string]*kong.Flag, variables []string) []string {
	others := make(map[string]bool)
	for key := range othersOnly(command, flags) {
		others[config.Variable(key)] = true
	}
	return slices.DeleteFunc(slices.Clone(variables), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return others[name]
	})
}

// linesOf are the lines of a file that a verb is to read. Those below a heading with the name of a verb, as [gateway], are for that one
// alone, and win over those that are for all. A file with such a heading is for several verbs: what is for all need not be a
// flag of each. A line that no verb knows stays, and is refused.
func linesOf(command *kong.Context, flags map[string]*kong.Flag, lines []config.Setting) (mine []config.Setting) {
	names := make(map[string]bool)
	for _, verb := range configured(command) {
		names[verb.Name] = true
	}
	own := make(map[string]bool)
	shared := slices.ContainsFunc(lines, func(s config.Setting) bool { return names[s.Heading] })
	others := othersOnly(command, flags)
	for _, s := range lines {
		if s.Heading == command.Selected().Name {
			own[s.Key] = true
		}
	}
	for _, s := range lines {
		of := names[s.Heading]
		switch {
		case of && s.Heading != command.Selected().Name:
		case !of && (own[s.Key] || shared && others[s.Key]):
		default:
			mine = append(mine, s)
		}
	}
	return mine
}

// check reads every value for its flag, so that a bad one is reported with where it was given, even if
// a flag on the command line overrides it.
func check(flags map[string]*kong.Flag, set config.Set) error {
	for _, key := range slices.Sorted(maps.Keys(set)) {
		s, f := set[key], flags[key]
		scratch := reflect.New(f.Target.Type()).Elem()
		if err := f.Parse(kong.Scan().PushTyped(s.Value, kong.FlagValueToken), scratch); err != nil {
			return &config.Error{Source: s.Source, Key: key, Err: err}
		}
	}
	return nil
}

// Resolver gives kong the settings for flags that are not on the command line.
func Resolver(set config.Set) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		if s, ok := set[config.Key(flag.Name)]; ok {
			return s.Value, nil
		}
		return nil, nil
	})
}

// Report logs the origin of each setting; passwords stay out of the log.
func Report(log *slog.Logger, set config.Set) {
	for _, key := range slices.Sorted(maps.Keys(set)) {
		s := set[key]
		value := s.Value
		switch {
		case value == "":
		case key == config.Key("open-accounts"), key == config.Key("admin-token"):
			value = hidden
		case key == config.Key("database"):
			value = Shown(value)
		}
		log.Info("setting", "key", s.Key, "value", value, "from", s.Source)
	}
}
