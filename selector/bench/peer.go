package main

import (
	"bufio"
	"context"
	_ "embed" // the peers
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

//go:embed peers.py
var peersSource string

// peer is a Python process that runs what it is asked to and times it itself, so
// that neither its start nor the way to it is in the figure.
type peer struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// request is what peers.py takes.
type request struct {
	Peer    string `json:"peer"`
	N       int    `json:"n"`
	D       int    `json:"d"`
	Vectors string `json:"vectors"`
	Tokens  []int  `json:"tokens,omitempty"`
	Budget  int    `json:"budget,omitempty"`
	Whole   bool   `json:"whole,omitempty"`
	K       int    `json:"k,omitempty"`
}

func startPeer(ctx context.Context) (*peer, error) {
	p := &peer{process: exec.CommandContext(ctx, "/usr/bin/python3", "-c", peersSource)}
	p.process.Stderr = os.Stderr
	var err error
	if p.in, err = p.process.StdinPipe(); err != nil {
		return nil, fmt.Errorf("bench: start the peers: %w", err)
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("bench: start the peers: %w", err)
	}
	p.out = bufio.NewReader(out)
	if err := p.process.Start(); err != nil {
		return nil, fmt.Errorf("bench: start the peers: %w", err)
	}
	return p, nil
}

// run returns how long the peer took, and its answer in answer.
func (p *peer) run(r request, answer any) (time.Duration, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return 0, fmt.Errorf("bench: ask for %s: %w", r.Peer, err)
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return 0, fmt.Errorf("bench: ask for %s: %w", r.Peer, err)
	}
	if line, err = p.out.ReadBytes('\n'); err != nil {
		return 0, fmt.Errorf("bench: %s gave no answer: %w", r.Peer, err)
	}
	reply := struct {
		Seconds float64 `json:"seconds"`
		Answer  any     `json:"answer"`
	}{Answer: answer}
	if err := json.Unmarshal(line, &reply); err != nil {
		return 0, fmt.Errorf("bench: the answer of %s: %w", r.Peer, err)
	}
	return time.Duration(reply.Seconds * float64(time.Second)), nil
}

func (p *peer) close() error {
	if err := p.in.Close(); err != nil {
		return fmt.Errorf("bench: end the peers: %w", err)
	}
	if err := p.process.Wait(); err != nil {
		return fmt.Errorf("bench: end the peers: %w", err)
	}
	return nil
}
