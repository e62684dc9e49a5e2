//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// questions is how many are asked of a followed session, one after another.
const questions = 40

// live follows a session, which it goes on with up to about 4,900 candidates, and
// measures how long it takes from the write of
// a question to the frame that shows its picture.
func live(ctx context.Context, program, home, folder string) error {
	path := filepath.Join(folder, "live.jsonl")
	if err := os.WriteFile(path, conversation(turns-2*questions), 0o600); err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	s, err := open(ctx, program, home, "tail", path)
	if err != nil {
		return err
	}
	if _, err := s.until("would keep"); err != nil {
		return err
	}
	var took []time.Duration
	for n := range questions {
		s.rest(pause) // the timeline may still be on its way, as it is in use
		start := time.Now()
		id := fmt.Sprintf("asked%d", n)
		if err := write(path, id, "user", fmt.Sprintf("Live question %d: what about the ratchet?", n)); err != nil {
			return err
		}
		at, err := s.until(fmt.Sprintf("Live question %d:", n))
		if err != nil {
			return err
		}
		took = append(took, at.Sub(start))
		if err := write(path, id+"a", "assistant", fmt.Sprintf("The ratchet is number %d.", n)); err != nil {
			return err
		}
	}
	slices.Sort(took)
	fmt.Printf("a question to its picture       median %5.1f ms, p95 %5.1f ms, slowest %5.1f ms\n",
		ms(took[len(took)/2]), ms(took[len(took)*95/100]), ms(took[len(took)-1]))
	memory, err := s.close()
	if err != nil {
		return err
	}
	fmt.Printf("largest resident set, followed  %6.0f MB\n", float64(memory)/1e6)
	return nil
}

// write appends a message to a transcript, below the one before it.
func write(path, id, role, text string) error {
	line, err := json.Marshal(map[string]any{
		"type": "message", "id": id, "timestamp": time.Now().UTC().Format(time.RFC3339Nano),
		"message": map[string]any{"role": role, "content": text},
	})
	if err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	return nil
}
