// What is said in the demo, in order. Ada works on a small checkout service and
// uses the same assistant for a trip, her kitchen and her reading.
import { ask, compact, edit, exec, heartbeat, mark, quiet, read, write } from "./script.mjs";

const staging = "checkout/config/staging.yaml";
const fact = "staging db port is 5433, not the default";

const retryTest = `package pay

import (
	"context"
	"testing"
	"time"
)

// busyTwice is a provider that is busy twice and remembers the keys it saw.
type busyTwice struct{ keys []string }

func (b *busyTwice) Charge(_ context.Context, key string, _ Order) error {
	b.keys = append(b.keys, key)
	if len(b.keys) < 3 {
		return ErrBusy
	}
	return nil
}

func TestOneKeyForAllAttempts(t *testing.T) {
	p, n := new(busyTwice), 0
	newKey := func() string {
		n++
		return string(rune('a' + n - 1))
	}
	if err := Charge(t.Context(), p, Order{ID: "o_1", Cents: 500}, newKey, func(time.Duration) {}); err != nil {
		t.Fatal(err)
	}
	for _, key := range p.keys {
		if key != p.keys[0] {
			t.Fatalf("the provider saw the keys %q: a busy answer may still have charged", p.keys)
		}
	}
}
`;

const retry = "checkout/internal/pay/retry.go";

const summary = `## Decisions
- Staging: the database of checkout is on port 5433, set in checkout/config/staging.yaml; production goes through the pooler on 6432.
- A charge carries one idempotency key for all of its four attempts (internal/pay/retry.go, with a test).
- Refunds are granted for 30 days after delivery; docs/api.md says so.
- Shutdown waits twenty seconds. Release 1.18.1 runs on staging since 08:31.
- Trip: Friday 07:44 to Ljubljana by Villach, Pension Lipa, at most 95 euros a night.

## Open TODOs
- Move the backup volume receipts from vault-2 (99 percent) to vault-1.
- Look into the 21 slow statements on staging; read the shutdown time from the config.

## Constraints/Rules
- Nothing is deployed without a word from Ada. Rows of the ledger are never deleted.

## Pending user asks
None.

## Exact identifiers
- staging-db.internal, pooler.internal:6432, staging-cache.internal:6380, checkout/config/staging.yaml, 0007_refunds, ops/backup.log`;

export const turns = [
  ask(
    "Good morning. What do we have in the workspace?",
    exec("ls -1 . checkout logs ops trips"),
    "The checkout service with its config, docs and migrations, two logs from staging, the ops reports, your Ljubljana notes with a timetable, recipes, reading notes and two lists.",
  ),
  ask(
    "The deploy to staging failed last night. Start with checkout/config/staging.yaml.",
    read(staging),
    "It points the service at staging-db.internal, port 5432, a pool of twelve, TLS required; redis is on 6380 and metrics on 9102. Nothing is wrong by syntax.",
  ),
  ask(
    "And what does the log of the failed start say?",
    read("logs/staging-failed-start.log"),
    "Version 1.18.0 started at 21:12:38 and tried the database seven times. Every dial to staging-db.internal:5432 was refused, and at 21:13:06 it gave up with exit 1. Before that there is only normal traffic of the old version.",
  ),
  ask(fact, "Understood: staging listens on 5433. The config still has 5432, which explains every refused connection."),
  ask(
    "Then change it in the config, nothing else.",
    { text: "I look at the file once more before I touch it.", calls: [read(staging)] },
    edit(staging, "port: 5432", "port: 5433"),
    "Changed the database port in checkout/config/staging.yaml. One line, the rest is as it was.",
  ),
  ask("Show me the file again, please.", read(staging), "database.port is 5433 now; host, pool and TLS are untouched."),
  heartbeat("Monitor: build-2 is back after its reboot.", quiet),
  ask(
    "Something else: I want to go to Ljubljana by train in May. What did I save about it?",
    read("trips/ljubljana.md"),
    "Leaving on a Friday for three nights, back on Monday. You want to sleep at Pension Lipa near the river, see the castle on foot and the market hall on Saturday, and take one day out: Bled or the caves.",
  ),
  ask(
    "Which connections are there? I prefer a quiet car and no change in Graz.",
    read("trips/timetable.csv"),
    "On Friday the best fit is 07:44 with REX 310 by Salzburg and Villach: quiet car free, 40.00 EUR, arriving 15:14. Earlier there is 06:23 by Klagenfurt, also with the quiet car, for 61.00 EUR.",
  ),
  ask(
    "I take the 07:44. And for the pension: not more than 95 euros a night.",
    "Noted: 07:44 on Friday, and 95 euros a night as the limit for Pension Lipa, so at most 285 for the three nights.",
  ),
  ask(
    "Back to work. Customers say that they were charged twice. Where do we retry charges?",
    exec("grep -rn 'maxAttempts\\|ErrBusy\\|newKey' checkout --include='*.go'"),
    read(retry),
    "In internal/pay/retry.go. Charge asks up to four times while the provider is busy, starting with a pause of 250 ms that doubles. It calls newKey inside the loop, so every attempt carries another idempotency key: if a busy answer had charged after all, the next attempt charges again.",
  ),
  ask(
    "Write a test that shows it before you fix anything.",
    write("checkout/internal/pay/retry_test.go", retryTest),
    exec("cd checkout && go test ./internal/pay"),
    'The test fails as it should: the provider saw the keys ["a" "b" "c"] for one order.',
  ),
  ask(
    "Now the fix. One key for one order.",
    edit(retry, "\tdelay := firstDelay\n", "\t// One key for all attempts: a busy answer may have charged all the same.\n\tkey, delay := newKey(), firstDelay\n"),
    edit(retry, "p.Charge(ctx, newKey(), o)", "p.Charge(ctx, key, o)"),
    exec("cd checkout && go test ./internal/pay"),
    "The key is made once before the loop and all attempts share it. The test passes.",
  ),
  ask(
    "Short break: how long does my dal simmer, and how much turmeric goes in?",
    read("recipes/dal.md"),
    "25 minutes, with one teaspoon of turmeric to 300 g of red lentils and a litre of water.",
  ),
  heartbeat("Monitor: nightly backup finished with warnings.", "Heads-up: last night's backup set was closed without a manifest. ops/backup.log has the details."),
  ask(
    "Legal decided that refunds are allowed for 30 days after delivery. Keep that in mind for the docs.",
    "I will use 30 days after delivery wherever refunds are described.",
  ),
  ask(
    "What does docs/api.md promise at the moment?",
    read("checkout/docs/api.md"),
    "It still says 14 days after delivery, and 410 for later requests. The sum of refunds may not exceed the charge.",
  ),
  ask(
    "Correct that.",
    edit("checkout/docs/api.md", "Allowed for 14 days after delivery", "Allowed for 30 days after delivery"),
    "docs/api.md now allows refunds for thirty days after delivery.",
  ),
  ask(
    "What was my last note on the lighthouse novel?",
    read("reading/notes.md"),
    "In The Lighthouse Tenant you stopped at page 88, where she gives up counting ships and starts to draw. The club meets on the 14th and you bring the cake.",
  ),
  ask(
    "Explain a Bloom filter to me in two sentences.",
    "A Bloom filter hashes every key to a few positions of a bit array and sets those bits. A lookup whose bits are all set means perhaps, a single clear bit means certainly not.",
  ),
  ask(
    "Now the backup. Read ops/backup.log and tell me what is missing.",
    read("ops/backup.log"),
    "Four of five volumes are there: ledger, orders, images and mail. receipts was abandoned at 02:23:20 because vault-2 had no space left, and so the set has no manifest.",
  ),
  ask(
    "How much room is there on the vaults?",
    read("ops/disk-report.txt"),
    "vault-2 is at 99 percent with 0.1T free, vault-1 at 64 percent with 2.9T free. Moving receipts to vault-1 would solve it for a long time.",
  ),
  ask(
    "Can you run the migration tool against staging, just a dry run?",
    exec("cd checkout && go run ./cmd/migrate -config config/staging.yaml -dry-run"),
    "There is no cmd/migrate in this checkout, so the command failed before it reached anything. Migrations run inside the service when it starts.",
  ),
  heartbeat("Monitor: certificate of the shop renewed.", quiet),
  ask(
    "Wie sagt man auf Slowenisch „ein Tisch für zwei, bitte“?",
    "„Mizo za dva, prosim.“ Am Telefon reicht „za dva“ mit Uhrzeit, zum Beispiel „ob sedmih“ für sieben Uhr.",
  ),
  ask(
    "Run the whole test suite, verbose, so that I can attach it to the change.",
    exec("cd checkout && go test -v ./..."),
    "Everything passes: 144 cases of tax, the empty basket, and the new test on idempotency keys. cmd/checkout has no tests.",
  ),
  ask(
    "How does the cart round tax? Half up?",
    read("checkout/internal/cart/total.go"),
    "Half to even, for each line rather than for the sum. 4470 cents at 9.5 percent make 424.65, so 425; exactly half a cent would go to the even neighbour.",
  ),
  ask(
    "For Thursday: red lentils, two lemons, coriander, oat milk. Put it on the shopping list.",
    write("lists/shopping.md", "# Shopping, Thursday\n- red lentils, 500 g\n- lemons, 2\n- coriander\n- oat milk\n"),
    "The list for Thursday is in lists/shopping.md, four things.",
  ),
  ask("Is git clean in checkout?", exec("cd checkout && git status --short"), "No: three files changed and one new test, all of them from this morning."),
  heartbeat("Monitor: vault-2 is at 99 percent.", "vault-2 is still at 99 percent. Tonight's backup will fail in the same way unless receipts moves."),
  ask(
    "Commit it with a decent message.",
    exec("cd checkout && git add -A && git commit -q -m 'Charge each order under one idempotency key' && git log --oneline"),
    "Committed as one change on top of the import.",
  ),
  ask(
    "What was the pension in Ljubljana called, and what was my limit?",
    "Pension Lipa, near the river. Your limit is 95 euros a night.",
  ),
  ask(
    "Show me the new migration and tell me which locks it takes.",
    read("checkout/migrations/0007_refunds.sql"),
    "It creates refunds, moves the negative charges over and forbids new ones. The last statement is the costly one: adding the check on charges takes an exclusive lock while the table is scanned. On staging with 311 moved rows nobody notices; in production add it as not valid first and validate it afterwards.",
  ),
  ask(
    "In production we never connect to the database directly, always through the pooler on 6432.",
    "Noted. Production goes through the pooler on 6432, in transaction mode.",
  ),
  ask(
    "Does the production config agree?",
    read("checkout/config/production.yaml"),
    "Yes: host pooler.internal with 6432, pool of forty, TLS verify-full. It also gives running requests 30 seconds at shutdown, where staging has five.",
  ),
  ask("What is a good name for a cat that sleeps on keyboards?", "Backspace. Or Tab, if there are two of them."),
  ask(
    "And the cache, where does it live in both environments?",
    exec("grep -n -A2 '^redis' checkout/config/staging.yaml checkout/config/production.yaml"),
    "Staging uses staging-cache.internal on 6380 with a lifetime of 15 minutes, production cache.internal on 6379 with 30 minutes.",
  ),
  ask("帮我看一下这个周末要做什么。", read("lists/weekend.md"), "周末有四件事：修自行车前刹车、给番茄浇水、周六闭馆前还《The Salt Ledger》、给房东打电话问暖气。"),
  heartbeat("Monitor: staging answers its health check.", quiet),
  ask(
    "What must whoever is on call do when somebody was charged twice? It is in the runbook.",
    read("checkout/docs/runbook.md"),
    "Look the order up in the ledger first. Two charges under one key are a display fault. Two keys are real: refund the newer charge with the reason other, approve it up to 200 euros, and write order, charges and keys into the incident. More than five in a night: stop the subscription worker and page the team lead. Rows in the ledger are never deleted.",
  ),
  ask(
    "Give me that in three lines for the chat.",
    "1. Same key twice: shown twice, answer the customer.\n2. Two keys: refund the newer charge, approve up to 200 euros, write down both keys.\n3. More than five a night: stop the subscription worker, page the lead.",
  ),
  ask(
    "Staging runs again. Check the new log for anything odd.",
    read("logs/staging-new-start.log"),
    "Version 1.18.1 reached its database at the first attempt, applied 0007_refunds in 448 ms and has served since 08:31. Odd are only the slow statements, far more of them than last night.",
  ),
  ask(
    "Which tables are slow?",
    exec("grep 'slow statement' logs/staging-new-start.log | grep -o 'table=[a-z]*' | sort | uniq -c | sort -rn"),
    "articles with nine, charges with eight, orders with four: 21 in all. Last night charges were hardly ever among them, so the scan of the new check may be part of it.",
  ),
  ask(
    "And vouchers, why are they refused?",
    exec("grep -o 'voucher refused.*' logs/staging-new-start.log | sort | uniq -c"),
    "Fifteen refusals since the start. BOOKS10 leads with eight: four baskets were below the minimum, three codes were used before and one had expired. HELLO and AUTUMN5 are mostly old codes.",
  ),
  heartbeat("Monitor: the queue of receipts has 131 entries.", "The receipts queue stands at 131, well below the 2,000 where the runbook wakes somebody."),
  ask(
    "How many attempts do we make before a charge fails, and how long is the pause?",
    "Four attempts. The pauses are 250 ms, 500 ms and one second, so a busy provider costs 1.75 seconds of waiting at most.",
  ),
  ask(
    "How does the service shut down? A colleague says that it cuts requests off.",
    read("checkout/cmd/checkout/main.go"),
    "On SIGTERM it stops listening and gives running requests five seconds, a constant in main.go. A charge may take twelve seconds, so your colleague is right: a slow charge is cut off. The shutdown value of the config is never read.",
  ),
  ask(
    "Raise it to twenty seconds for now and check that it builds.",
    edit("checkout/cmd/checkout/main.go", "shutdownTimeout = 5 * time.Second", "shutdownTimeout = 20 * time.Second"),
    exec("cd checkout && go build -o /dev/null ./cmd/checkout && go vet ./... && echo built"),
    "The timeout is twenty seconds, the service builds and vet has nothing to say. Reading the value from the config would be the next step.",
  ),
  ask(
    "Add to my reading notes: p. 120, the harbour office admits that it never counted.",
    edit(
      "reading/notes.md",
      "Club meets on the 14th, I bring the cake.",
      "p. 120: the harbour office admits that it never counted. Club meets on the 14th, I bring the cake.",
    ),
    read("reading/notes.md"),
    "Added under The Lighthouse Tenant, between page 88 and the club's date.",
  ),
  ask(
    "Can I use chickpeas instead of the lentils?",
    "Yes, but cook them first: soaked overnight they need about an hour, from a tin ten minutes in the sauce. The dal will be a stew rather than a puree, so take a third less water.",
  ),
  ask(
    "Pack for three nights in May, trains and one long walk. Write me a list.",
    write(
      "trips/packing.md",
      "# Packing, three nights\n- rain jacket, light jumper\n- walking shoes, second pair for the evening\n- power bank, headphones for the quiet car\n- notebook, the lighthouse novel\n- water bottle, nuts for the train\n",
    ),
    "Saved as trips/packing.md: clothes for rain and one warm layer, walking shoes, things for six hours of train, and the novel.",
  ),
  ask("Is git clean in checkout?", exec("cd checkout && git status --short"), "One file is changed: cmd/checkout/main.go with the longer shutdown."),
  ask(
    "Until when can a customer ask for a refund?",
    "For 30 days after delivery; the API answers 410 after that.",
  ),
  ask(
    "Write that to a customer in French, two friendly sentences.",
    "Vous pouvez demander un remboursement pendant les trente jours qui suivent la livraison. Répondez simplement à ce message avec votre numéro de commande et nous nous occupons du reste.",
  ),
  heartbeat("Monitor: build-1 cache is at 85 percent.", quiet),
  ask(
    "How often was the provider busy, and at which attempt did it end?",
    exec("grep -h 'provider busy' logs/staging-new-start.log | grep -o 'attempt=[0-9]' | sort | uniq -c"),
    "Nineteen times in the new log: eight after the first attempt, seven after the second, four after the third. No charge needed a pause after its fourth.",
  ),
  ask(
    "My loaf came out flat. Look at the recipe: what would you change?",
    read("recipes/bread.md"),
    "350 g of water on 500 g of flour is not too wet, so I would look at time: an hour in the basket is short for a cold kitchen. Give it until a finger mark comes back slowly, and bake it hotter for the first ten minutes.",
  ),
  ask(
    "Commit the shutdown change too.",
    exec("cd checkout && git commit -q -am 'Let running requests finish for twenty seconds' && git log --oneline"),
    "Committed. Three commits now: the import, the idempotency key and the longer shutdown.",
  ),
  ask(
    "What does the API do when the same idempotency key comes with another body?",
    exec("grep -n 'Idempotency-Key' checkout/docs/api.md"),
    "It answers 409. The same key with the same body gives the same answer again, for 24 hours.",
  ),
  ask(
    "Draft the release note for 1.18.1, a short paragraph for the shop team.",
    "1.18.1 charges every order under one idempotency key, so that a busy provider can no longer charge a customer twice. Refunds have a table of their own, and the documentation now grants them for thirty days after delivery. On shutdown, requests that run get twenty seconds to finish. Nothing changes for clients of the API; orders that were charged twice last week are being refunded by hand.",
  ),
  mark(
    fact,
    ask(
      "Which port did we settle on for the staging database?",
      "5433. The default was refused at the failed start, you corrected it, and checkout/config/staging.yaml has had it since.",
    ),
  ),
  ask("And in production?", "6432, which is the pooler. Nobody connects to the database itself there."),
  ask(
    "Is the test for the double charge in the repository?",
    exec("cd checkout && git show --stat --oneline HEAD~1"),
    "Yes, internal/pay/retry_test.go came in with the commit on idempotency keys.",
  ),
  ask(
    "Which train did I choose for Friday?",
    "The 07:44, REX 310 by Salzburg and Villach, with a seat in the quiet car for 40.00 EUR. It arrives at 15:14.",
  ),
  heartbeat("Monitor: provider reports a short outage.", "The provider reports an outage of four minutes. The runbook says to switch the banner on and wait, not to raise the number of attempts."),
  ask(
    "How many lines does the failed log have before the new version starts?",
    exec("grep -n 'msg=starting' logs/staging-failed-start.log | cut -d: -f1"),
    "172 lines of traffic; the new version starts in line 173.",
  ),
  ask(
    "Why is the backup of receipts missing, in one sentence for the ticket?",
    "The volume receipts was abandoned at 02:23:20 because it needed 212 GiB on vault-2 and only 96 GiB were free.",
  ),
  ask(
    "Which article groups does the rounding test cover?",
    exec("grep -n 'articles :=' checkout/internal/cart/total_test.go"),
    "Paperbacks, teapots, notebooks and scarves, each with three tax rates and one to twelve pieces.",
  ),
  ask("How many people does the dal serve?", "Four, with 300 g of lentils. For six take 450 g and a litre and a half of water."),
  compact(summary),
  ask("Where were we?", "The double charge is fixed and committed, staging runs 1.18.1 on port 5433, refunds are granted for 30 days. Open are the receipts backup on vault-2 and the slow statements on staging."),
  ask(
    "Make a note about moving receipts to vault-1.",
    write("ops/todo.md", "# To do\n- move the volume receipts from vault-2 (99 percent) to vault-1 (2.9T free)\n- run the set of 2026-11-29 again for receipts, so that it gets its manifest\n"),
    "It is in ops/todo.md, together with repeating the set so that it gets its manifest.",
  ),
  heartbeat("Monitor: provider is back.", quiet),
  ask(
    "Does staging still have the port that we set?",
    exec("grep -n 'port' checkout/config/staging.yaml"),
    "Yes, 5433.",
  ),
  ask("What should I bring to the book club?", "The cake. It meets on the 14th, and you have read up to page 120 of The Lighthouse Tenant."),
  ask(
    "Run the tests one last time, quietly.",
    exec("cd checkout && go test ./..."),
    "All packages pass.",
  ),
  ask(
    "What did the runbook say about receipts that fail again and again?",
    exec("grep -n 'put aside' checkout/docs/runbook.md"),
    "After eight tries such a receipt is put aside; you can put it aside by hand earlier.",
  ),
  heartbeat("Monitor: all hosts answer.", quiet),
  ask("How much may the pension cost in all?", "285 euros for three nights, at 95 a night."),
  ask(
    "Is there anything on the weekend list about the flat?",
    read("lists/weekend.md"),
    "Yes: call the landlord about the heating, and water the tomatoes on the balcony.",
  ),
  ask("Thank you, that is all for today.", "Good work today. Open for tomorrow: receipts on vault-2 and the slow statements on staging."),
];
