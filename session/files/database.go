package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MakePrivate makes an empty file at path that only its owner can read, unless there
// is a file, and returns what is there. A folder that has to be made is private too.
// It does not open a file that is there: closing it again would drop the locks that
// SQLite has on it in this process. An error names the path; it wraps ErrNotRegular
// where something else is in the place of the file.
func MakePrivate(path string) (fs.FileInfo, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		f.Close()
	case !errors.Is(err, fs.ErrExist):
		return nil, err //nolint:wrapcheck // it names the path
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the path
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s: %w", path, Kind(info.Mode()), ErrNotRegular)
	}
	return info, nil
}

// DatabaseURI is the path of a SQLite database as a URI without parameters.
func DatabaseURI(path string) string {
	volume := filepath.VolumeName(path)
	path = filepath.ToSlash(path)
	if volume != "" {
		path = "/" + path
	}
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// Transaction runs do in a transaction of db, which is committed unless do fails. An
// error of do is returned as it is.
func Transaction(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // what failed is the error to report
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
