// Command pacms shows what an agent is about to remember and what it is about
// to forget.
package main

import (
	"os"

	"pacms/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
