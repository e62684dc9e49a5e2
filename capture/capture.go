// Package capture has what is being said now: it follows a session as its host
// writes it.
package capture
