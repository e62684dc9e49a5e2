package tui

import (
	"context"

	"github.com/charmbracelet/colorprofile"

	"pacms/capture"
	"pacms/selector"
	"pacms/selector/share"
	"pacms/session"
	"pacms/testdata"
	"pacms/themes"
)

// Progress is told how far a piece of work has come: what is done now, and how
// much of how much; a total of 0 means that nobody knows. It may be called from
// any goroutine and returns at once.
type Progress func(what string, done, total int64)

// Config is what the screen starts with. Load, NewEngine and Strategy are
// needed; everything else has a useful zero value.
type Config struct {
	// Title names the session in the title bar: "demo", or a file's name.
	Title string
	// Load reads the session. It runs beside the screen and stops when ctx ends.
	Load func(ctx context.Context, progress Progress) (*session.Session, error)
	// Follow, if set, waits for what is new of the session that Load read, and gives it;
	// it is called from one goroutine. Its error ends following.
	Follow func(ctx context.Context) (capture.News, error)
	// NewEngine makes the engine for the session that was read.
	NewEngine func(*session.Session) *selector.Engine

	// Other opens another session, or the same one by other means, for a side of the
	// compare view; nil: there is nothing else to compare with.
	Other func(ctx context.Context, p Place, progress Progress) (*session.Session, *selector.Engine, error)
	// Embedder is the name of what compares the texts, and Embedders are those that
	// can be chosen, for the compare view.
	Embedder  string
	Embedders []string

	Strategy selector.Strategy
	Rules    selector.Rules
	// Tail is how many newest complete turns the tail rule requires.
	Tail int
	// Budget is what the screen opens with; a share is of the session's largest
	// pool, or of each turn's own with BudgetPerTurn until a person moves it.
	Budget        selector.BudgetSpec
	BudgetPerTurn bool
	// BudgetSource says where the budget comes from: "flag", "demo default", ….
	// A pool that carries its own budget, and a captured turn, keeps it while
	// BudgetRecorded is set and nobody moved the handle.
	BudgetSource   string
	BudgetRecorded bool
	// HostBudget is the budget that the host is known to have, in tokens; 0 unknown.
	HostBudget int
	PoolMode   session.PoolMode
	// NoWiden keeps short questions as they are; QueryExplicit says that a person
	// gave them.
	NoWiden, QueryExplicit bool
	// Turn is the number of the turn to open on; 0 is the last one.
	Turn int
	// StrategyRecorded and RulesRecorded are set where a captured turn has the strategy
	// and the rules that it was captured with: the strategy until a person picks one.
	StrategyRecorded, RulesRecorded bool

	// Case makes the case of what is shown, for an export: of src the pool, the turn and
	// the options are set. nil: cases are not exported.
	Case func(ctx context.Context, s *session.Session, src share.Source) (*share.Case, error)
	// ExportDir is the folder of exports; empty: the present one.
	ExportDir string

	// Pins and Bans are ids of candidates that are pinned and banned where nothing is
	// remembered of the session: those of a case.
	Pins, Bans []string

	// StateDir is the folder in which preferences, pins and bans are kept from one
	// visit to the next; empty: they end with the program.
	StateDir string

	// Story is set for the demo.
	Story *testdata.Story

	// Booth, with a story, is for a stand: it tells the story again and again until
	// someone touches it, and from the beginning once it is left.
	Booth bool

	// Theme is nil where the terminal is to say whether it is dark or light.
	Theme *themes.Theme
	// Profile is set to override what the terminal is taken to be able to show;
	// with colorprofile.ASCII there are no colours.
	Profile colorprofile.Profile
	// ASCII draws with ASCII alone.
	ASCII bool
	// NoMotion leaves out what moves by itself: the story goes to its mark at once.
	NoMotion bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
}
