package selector

import "fmt"

// defaultPercent is the share of a pool's tokens that is the budget where
// nobody named one.
const defaultPercent = 45

// findBudget works out the effective budget from what the caller and the pool
// say, and records every term with its source.
func (pb *problem) findBudget() error {
	pool := pb.Pool
	pb.terms = map[string]Term{}
	pending := 0
	for _, p := range pool.Pending {
		pending += p.Tokens
	}
	if pending > 0 {
		pb.terms["pending"] = Term{pending, "request"}
	}
	switch {
	case pb.opt.Budget.Source != "":
		pb.terms["budget"] = pb.opt.Budget
	case pool.Budget != nil:
		pb.terms["budget"] = Term{*pool.Budget, "request"}
	case pool.Window != nil:
		return pb.fromWindow(pending)
	default:
		pb.terms["budget"] = Term{percentOf(pool.Tokens(), defaultPercent), "default"}
	}
	budget := pb.terms["budget"].Value
	if budget < 0 {
		return fmt.Errorf("the budget is %d tokens: it must be 0 or more", budget)
	}
	pb.budget = max(0, budget-pending)
	return nil
}

// percentOf is a share of n, rounded down.
func percentOf(n, percent int) int { return n * percent / 100 }

// fromWindow takes the budget from the model's window. A reserve for the answer
// that leaves nothing gives way as far as the pool needs.
func (pb *problem) fromWindow(pending int) error {
	var negative error
	term := func(name string, v *int) int {
		if v == nil {
			return 0
		}
		if *v < 0 && negative == nil {
			negative = fmt.Errorf("%s is %d tokens: it must be 0 or more", name, *v)
		}
		pb.terms[name] = Term{*v, "request"}
		return *v
	}
	pool := pb.Pool
	window, reserve := term("window", pool.Window), term("reserve", pool.Reserve)
	system, tools := term("system", pool.System), term("tools", pool.Tools)
	if negative != nil {
		return negative
	}
	left := window - system - tools - pending
	if left-reserve <= 0 && reserve > 0 {
		pb.reserved = true
		reserve = max(0, left-pool.Tokens())
		pb.terms["reserve"] = Term{reserve, "clamped"}
	}
	pb.budget = max(0, left-reserve)
	return nil
}
