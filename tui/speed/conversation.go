//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// vocabulary is what the generated messages are made of: enough words that hardly
// two messages are alike.
var vocabulary = strings.Fields(`
adapter agenda alarm archive backup badge balance basil batch beacon bearing billing binary border bracket branch
bread breaker bridge broker budget buffer bundle cable cache calendar camera cargo carrier ceiling channel charge
cluster coffee column compass console contract copper courier crate credit crust curve cutoff dashboard database
deadline decoy deposit dinner docker dough drawer driver easel engine envelope escrow export fallback feature ferry
filter fixture flour forecast forklift fragment freight garden gateway gauge glacier grant gravel grid guard guild
hangar harbour harvest header heater helmet hostel index insulin invoice island jacket journal kernel kettle ladder
lantern lattice ledger lemon lever library license lumber magnet mailer manifest marble margin meadow memory metric
migration mirror module mortar museum nectar needle notebook nozzle nutmeg oakwood octave orchard outlet oven packet
paddle parcel parser patch pavement payroll pebble pension permit photon pigment pilot pipeline pivot planet plaster
platform plume pocket poplar port posture prefix printer prism profile proof pulley quarry quartz queue quota radar
railway ramp ratchet reactor receipt refund relay replica retry ribbon rivet rocket roster router saddle saffron sample
scaffold schedule schema sensor shard shelter signal socket solder spindle staging statute stencil storage switch
syringe tablet tannin tariff template tenant terrace thermal thicket ticket timber timeout token tracker transit
treaty trellis trigger tunnel turbine umbrella upload usher vacuum valley vault vector vendor vessel viaduct voltage
voucher walnut warrant wharf willow window winter worker yarn yeast zipper`)

// conversation is an OpenClaw transcript of so many questions with their answers.
func conversation(turns int) []byte {
	r := rand.New(rand.NewPCG(2026, 11))
	prose := func(n int) string {
		said := make([]string, n)
		for i := range said {
			said[i] = vocabulary[r.IntN(len(vocabulary))]
		}
		return strings.Join(said, " ")
	}
	var b bytes.Buffer
	at := time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)
	parent := ""
	write := func(event map[string]any) {
		event["timestamp"] = at.Format(time.RFC3339Nano)
		line, _ := json.Marshal(event) // strings and numbers
		b.Write(append(line, '\n'))
		at = at.Add(7 * time.Second)
	}
	message := func(id, role, text string) {
		event := map[string]any{
			"type": "message", "id": id,
			"message": map[string]any{"role": role, "content": []any{map[string]any{"type": "text", "text": text}}},
		}
		if parent != "" {
			event["parentId"] = parent
		}
		parent = id
		write(event)
	}
	write(map[string]any{"type": "session", "version": 4, "id": "speed", "cwd": "/home/ada"})
	for n := range turns {
		message(fmt.Sprint("u", n), "user", "What do we know of "+prose(6)+"?")
		message(fmt.Sprint("a", n), "assistant", "We know "+prose(10+r.IntN(40))+fmt.Sprintf(", and %d of them.", n))
	}
	return b.Bytes()
}
