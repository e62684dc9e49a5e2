// Package tui is the screen: a session turn by turn, what is kept and dropped.
package tui
