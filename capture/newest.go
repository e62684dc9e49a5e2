package capture

import (
	"context"
	"os"
	"path/filepath"

	"pacms/session/find"
	"pacms/session/openclaw"
)

// newest is the session of this machine that was used last, once there is one.
type newest struct {
	opt   openclaw.Options
	where find.Options
	found *openclaw.Follower
	// looked are the folders that had nothing.
	looked []string
}

// Newest is the session that was used last of those on this machine. While there is
// none it waits for the first.
func Newest(opt openclaw.Options) Source { return &newest{opt: opt} }

func (n *newest) Look(ctx context.Context) (openclaw.Look, error) {
	if n.found != nil {
		return n.found.Look(ctx)
	}
	r, err := find.Find(ctx, n.where)
	if err != nil {
		return openclaw.Look{}, err
	}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		opt := n.opt
		switch s.State {
		case find.InDatabase:
			opt.Session = s.Key
		case find.Current:
		default:
			continue // its host writes it no more
		}
		if n.found, err = openclaw.Follow(s.Path, opt); err != nil {
			return openclaw.Look{}, err
		}
		look, err := n.found.Look(ctx)
		look.Events = append([]string{"following " + s.Key + " in " + s.Path}, look.Events...)
		return look, err
	}
	n.looked = n.looked[:0]
	for _, p := range r.Places {
		n.looked = append(n.looked, p.Path)
	}
	return openclaw.Look{Waiting: "no session was found on this machine yet (pacms sessions says where it looks)"}, nil
}

func (n *newest) Folders() []string {
	if n.found != nil {
		return n.found.Folders()
	}
	var dirs []string
	for _, root := range n.looked {
		for _, dir := range []string{root, filepath.Join(root, "agents")} {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}
