package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

func newMan(std streams) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page",
		Example: "  pacms man > pacms.1 && man ./pacms.1",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := cmd.Root()
			page, err := mango.NewManPage(1, root)
			if err != nil {
				return fmt.Errorf("make the manual page: %w", err)
			}
			page.WithLongDescription(unwrap(root.Long))
			_, err = fmt.Fprintln(std.out, page.Build(&manual{roff.NewDocument()}))
			return failedWrite(err)
		},
	}
}

// manual is a roff document in which a percent sign is one: the document itself
// takes every text for a format.
type manual struct{ *roff.Document }

// Text writes text.
func (m *manual) Text(text string) { m.Document.Text(strings.ReplaceAll(anyone(text), "%", "%%")) }

// anyone is a text in which no folder is that of the person who makes the page.
func anyone(text string) string {
	if os.Getenv("XDG_CONFIG_HOME") != "" {
		text = strings.ReplaceAll(text, xdg.ConfigHome, "$XDG_CONFIG_HOME")
	}
	return strings.ReplaceAll(text, xdg.Home+string(filepath.Separator), "~"+string(filepath.Separator))
}

// unwrap joins the lines of each paragraph: a manual page breaks lines itself.
func unwrap(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
