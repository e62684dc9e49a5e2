package selector

import "context"

// near gives the samples from a budget on, up and down, each next to what the one
// before proves about group g: until it fares otherwise or there were steps enough.
func (s *sampler) near(ctx context.Context, g, budget int) ([]*sample, error) {
	whole := s.whole() // nothing changes above it
	here, err := s.at(ctx, []int{min(budget, whole)})
	if err != nil {
		return nil, err
	}
	sides := make([][]*sample, 2)
	err = together(ctx, len(sides), func(ctx context.Context, k int) error {
		for p := here[0]; len(sides[k]) < s.steps && p.kept.has(g) == here[0].kept.has(g); p = sides[k][len(sides[k])-1] {
			proved := p.proves(g)
			next := proved.from - 1
			if k == 1 {
				if proved.to >= whole {
					return nil
				}
				next = proved.to + 1
			}
			if next < 0 {
				return nil
			}
			found, err := s.at(ctx, []int{next})
			if err != nil {
				return err
			}
			sides[k] = append(sides[k], found...)
		}
		return nil
	})
	return append(append(here, sides[0]...), sides[1]...), err
}
