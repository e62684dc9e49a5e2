package memory

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// entries splits a Markdown file into what can be kept or dropped by itself:
// each item of a top-level list with all that is nested in it, and each other
// block. An entry begins with the heading that it stands under, since an item
// alone often does not say what it is about.
func entries(source string) []string {
	src := []byte(source)
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	var out []string
	heading := ""
	add := func(body string) {
		body = strings.TrimRight(body, " \n")
		if strings.TrimSpace(body) == "" {
			return
		}
		if heading != "" {
			body = heading + "\n" + body
		}
		out = append(out, body)
	}
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		switch block := block.(type) {
		case *ast.Heading:
			heading = whole(src, block)
		case *ast.List:
			for item := block.FirstChild(); item != nil; item = item.NextSibling() {
				add(whole(src, item))
			}
		default:
			add(whole(src, block))
		}
	}
	return out
}

// whole is the source of a block from the first to the last line of all that is
// in it, its marks included.
func whole(src []byte, block ast.Node) string {
	from, to := len(src), 0
	// The walk cannot fail: the function never returns an error.
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock {
			return ast.WalkContinue, nil
		}
		if lines := n.Lines(); lines.Len() > 0 {
			from = min(from, lines.At(0).Start)
			to = max(to, lines.At(lines.Len()-1).Stop)
		}
		return ast.WalkContinue, nil
	})
	if from >= to {
		return ""
	}
	for from > 0 && src[from-1] != '\n' {
		from--
	}
	return string(src[from:to])
}
