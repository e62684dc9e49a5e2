// Command pacms shows what an agent is about to remember and what it is about
// to forget.
package main

func main() {}
