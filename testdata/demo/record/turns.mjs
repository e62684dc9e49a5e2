// What is said in the demo, in order. Ada works on a small checkout service and
// uses the same assistant for a trip, her kitchen and her reading.
import { ask, compact, edit, exec, heartbeat, mark, quiet, read, write } from "./script.mjs";

const staging = "checkout/config/staging.yaml";
const fact = "staging db port is 5433, not the default";

const retry = "checkout/internal/pay/retry.go";

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

// What the gateway compacts: the turns up to the verbose test run, which it
// splits, because the newest part of the session stays as it is.
const summary = `## Decisions
- Staging: the database of checkout is on port 5433, not on the default; checkout/config/staging.yaml was corrected after the failed start of 1.18.0.
- A charge carries one idempotency key for all of its four attempts (checkout/internal/pay/retry.go, with a test beside it). Two customers had been charged twice.
- Refunds are granted for 30 days after delivery; checkout/docs/api.md was changed to say so.
- Trip: Friday 06:23 to Ljubljana by Klagenfurt, Pension Lipa, at most 95 euros a night.

## Open TODOs
- The backup volume receipts did not fit on vault-2 (99 percent); vault-1 has room.
- There is no cmd/migrate: migrations run when the service starts.

## Constraints/Rules
- Nothing is deployed without a word from Ada.
- Quiet car, and one change of trains at most.

## Pending user asks
None.

## Exact identifiers
- staging-db.internal, staging-cache.internal:6380, checkout/config/staging.yaml, logs/staging-failed-start.log, ops/backup.log`;

const summaryOfSplitTurn = `## Original Request
Run the whole test suite, verbose, so that the output can be attached to the change.

## Early Progress
- The command is go test -v ./... in checkout; its output follows.

## Context for Suffix
- The change is the single idempotency key together with the corrected config and docs.`;

export const turns = [
  ask(
    "Good morning. Before we start: what do we have in the workspace these days?",
    exec("ls -1 . checkout logs ops trips"),
    "Mostly the checkout service with its config, docs and migrations. Beside it there are two logs from staging, a disk report and a backup log under ops, your Ljubljana notes with a timetable, two recipes, the reading notes and the weekend list.",
  ),
  ask(
    "The deploy to staging failed last night and I have no idea why. Start with checkout/config/staging.yaml, please.",
    read(staging),
    "By syntax it is fine. It points the service at staging-db.internal, port 5432, with a pool of twelve and TLS required; the cache is on 6380, mail on 2525, metrics on 9102. If something is wrong here it is one of the values, and the log should say which.",
  ),
  ask(
    "And what does the log of the failed start say?",
    read("logs/staging-failed-start.log"),
    "The old version served normally until 21:14. Then 1.18.0 started at 21:14:45 and tried its database seven times with growing pauses. Every dial to staging-db.internal:5432 was refused, so it gave up at 21:15:13 with exit 1 and the old version went on serving. Refused rather than timed out means that the host answers but nothing listens there.",
  ),
  ask(fact, "Understood: staging listens on 5433. The config still has 5432, which explains why every connection was refused although the host is up."),
  ask(
    "Then change it in the config, and nothing else in that file.",
    { text: "I look at the file once more before I touch it.", calls: [read(staging)] },
    edit(staging, ["port: 5432", "port: 5433"]),
    "Done: one line in checkout/config/staging.yaml, the database port. Host, pool and everything around it are as they were.",
  ),
  ask(
    "Show me the file again so that I can see it with my own eyes.",
    read(staging),
    "database.port is 5433 now. The rest of the file is what we read before.",
  ),
  heartbeat("Monitor: build-2 is back after its reboot.", quiet),
  ask(
    "Something else while the pipeline runs. I want to go to Ljubljana by train in May; what did I save about it?",
    read("trips/ljubljana.md"),
    "You leave on a Friday, stay three nights and come back on Monday. The bed is Pension Lipa near the river; ask for a room to the yard because of the bells. On your list are the castle on foot, the market hall on Saturday morning, a long walk in Tivoli, and one day out, either Bled or the caves. And you do not want to change trains twice.",
  ),
  ask(
    "Which connections are there on the Friday? I would like the quiet car, and one change at most.",
    read("trips/timetable.csv"),
    "Before eight four fit with a free quiet car and one change: 05:54 by Villach for 88.90 EUR, 06:23 by Klagenfurt for 61.00, 06:40 by Klagenfurt for 84.00 and 07:56 by Maribor for 80.90. The 06:23, REX 734, is the cheapest and the fastest: it arrives at 12:31 and waits 53 minutes in Klagenfurt.",
  ),
  ask(
    "I will take the 06:23 then, early as it is. And for the pension: not more than 95 euros a night.",
    "Noted: the 06:23 on Friday, REX 734 by Klagenfurt, and 95 euros a night as the limit for Pension Lipa. That makes 285 euros at most for the three nights.",
  ),
  ask(
    "Back to work. Two customers write that they were charged twice this week. Where do we retry charges?",
    [exec("grep -rn 'maxAttempts\\|ErrBusy\\|newKey' checkout --include='*.go'"), read(retry)],
    "In internal/pay/retry.go. Charge asks up to four times while the provider says that it is busy, with a first pause of 250 ms that doubles each time. The fault is that it calls newKey inside the loop: each attempt carries another idempotency key, so if a busy answer had taken the money after all, the next attempt takes it again.",
  ),
  ask(
    "That would explain it. Write a test that shows the fault before you fix anything.",
    write("checkout/internal/pay/retry_test.go", retryTest),
    exec("cd checkout && go test ./internal/pay"),
    'The test uses a provider that is busy twice and remembers the keys. It fails as it should: for a single order the provider saw ["a" "b" "c"]. With one key for the order it would see the same one three times.',
  ),
  ask(
    "Now the fix. One key for one order, whatever happens in between.",
    edit(
      retry,
      ["\tdelay := firstDelay\n", "\t// One key for all attempts: a busy answer may have charged all the same.\n\tkey, delay := newKey(), firstDelay\n"],
      ["p.Charge(ctx, newKey(), o)", "p.Charge(ctx, key, o)"],
    ),
    exec("cd checkout && go test ./internal/pay"),
    "The key is made once before the loop and shared by all attempts, with a comment that says why. The test passes. Refund was never affected, since its key comes from the caller.",
  ),
  ask(
    "Short break, I am planning dinner. How long does my dal simmer, and how much turmeric goes in?",
    read("recipes/dal.md"),
    "25 minutes, with one teaspoon of turmeric to 300 g of red lentils and a litre of water. The onions take fifteen minutes of their own, so start them as soon as the lentils boil; the spices come last, in hot oil.",
  ),
  heartbeat(
    "Monitor: nightly backup finished with warnings.",
    "Heads-up: last night's backup set was closed without a manifest, so by the runbook it does not count as complete. ops/backup.log has the details.",
  ),
  ask(
    "Legal came back to us: refunds are allowed for 30 days after delivery. Keep that in mind for the docs.",
    "I will use 30 days after delivery wherever refunds are described, and say so if I meet another number.",
  ),
  ask(
    "What does docs/api.md promise about refunds at the moment?",
    read("checkout/docs/api.md"),
    "It still promises 14 days after delivery and answers later requests with 410. Refunds may be partial, their sum never exceeds the charge, and the reason other waits for a person. Everything but the number of days agrees with what you told me.",
  ),
  ask(
    "Correct the number, please, and leave the rest alone.",
    edit("checkout/docs/api.md", ["Allowed for 14 days after delivery", "Allowed for 30 days after delivery"]),
    "checkout/docs/api.md now allows refunds for thirty days after delivery.",
  ),
  ask(
    "The book club is soon. What was my last note on the lighthouse novel?",
    read("reading/notes.md"),
    "In The Lighthouse Tenant you stopped at page 88, where she gives up counting ships and starts to draw them. Before that you marked page 41, the form for complaints about forms. The club meets on the 14th and the cake is yours.",
  ),
  ask(
    "Explain to me in two or three sentences how a Bloom filter works, I always forget.",
    "A Bloom filter hashes every key to a few positions of a bit array and sets those bits. To look a key up you test the same positions: one clear bit means that the key was certainly never added, all set means that it probably was. It cannot forget a key, and it fills up until everything looks familiar.",
  ),
  ask(
    "Now the backup that the monitor complained about. Read ops/backup.log and tell me what is missing.",
    read("ops/backup.log"),
    "Four of the five volumes are there: ledger, orders, images and mail. receipts was abandoned at 02:29:09 because vault-2 had no space left; it needed 212 GiB and 96 GiB were free. Its 30 parts were removed again and the set was closed at 02:53 without a manifest.",
  ),
  ask(
    "How much room is left on the vaults, and how fast do they fill?",
    read("ops/disks.txt"),
    { text: "That is not its name. The report is called differently.", calls: [read("ops/disk-report.txt")] },
    "vault-2 is at 99 percent with 0.1T free and grew by 211 GB in a week; vault-1 is at 64 percent with 2.9T free and grew by 38 GB. Moving receipts over to vault-1 would solve it for months, whatever else happens on vault-2.",
  ),
  ask(
    "Can you run the migration tool against staging? Only a dry run, I want to see the plan.",
    exec("cd checkout && go run ./cmd/migrate -config config/staging.yaml -dry-run"),
    "That failed before it reached anything: there is no cmd/migrate in this checkout. Migrations run inside the service when it starts, so a plan could only come from a start against a copy of the database.",
  ),
  heartbeat("Monitor: certificate of the shop renewed.", quiet),
  ask(
    "Kurz zur Reise: Wie sagt man auf Slowenisch „ein Tisch für zwei, bitte“?",
    "„Mizo za dva, prosim.“ Am Telefon reicht „za dva“ mit der Uhrzeit, zum Beispiel „ob sedmih“ für sieben Uhr. Und bestell vor neun: Beim letzten Mal war die Küche dann zu.",
  ),
  ask(
    "Run the whole test suite, verbose, so that I can attach the output to the change.",
    exec("cd checkout && go test -v ./..."),
    "Everything passes: the empty basket, 144 cases of tax over four articles, three rates and twelve quantities, and the new test on idempotency keys. cmd/checkout has no tests.",
  ),
  ask(
    "The accountant asks how the cart rounds tax. Half up?",
    read("checkout/internal/cart/total.go"),
    "Half to even, and for each line rather than for the sum. 4470 cents at 9.5 percent are 424.65 of tax, so 425; exactly half a cent would go to the even neighbour. Over many orders that favours neither us nor the tax office, which is probably what the accountant wants to hear.",
  ),
  ask(
    "For Thursday I need red lentils, two lemons, coriander and oat milk. Put them on the shopping list.",
    write("lists/shopping.md", "# Shopping, Thursday\n- red lentils, 500 g\n- lemons, 2\n- coriander\n- oat milk\n"),
    "The list for Thursday is in lists/shopping.md with the four things. Onions, garlic and the spices of the dal are not on it, so have a look at the shelf.",
  ),
  ask(
    "Is git clean in checkout?",
    exec("cd checkout && git status --short"),
    "No: three files changed and one new test, all of them from this morning. The config, the API docs and the retry belong to one story, I would commit them together.",
  ),
  heartbeat(
    "Monitor: vault-2 is at 99 percent.",
    "vault-2 is still at 99 percent. Tonight's backup will fail in the same way unless receipts moves to vault-1 before two o'clock.",
  ),
  ask(
    "Commit it with a decent message.",
    exec("cd checkout && git add -A && git commit -q -m 'Charge each order under one idempotency key' && git log --oneline"),
    "Committed as one change on top of the import. The message names the cause, not the symptom, so that the next person with a double charge finds it.",
  ),
  ask(
    "I am writing to them now: what was the place in Ljubljana called, and what was my limit?",
    "Pension Lipa, near the river, and not more than 95 euros a night. Ask for a room to the yard while you are at it.",
  ),
  ask(
    "What would be a good name for a cat that sleeps on keyboards?",
    "Backspace, because it removes your last sentence. Tab if there are two of them and they come one after the other.",
  ),
  ask(
    "One thing to keep apart: in production nobody talks to the database directly, it always goes through the pooler on 6432.",
    "Noted. Production goes through the pooler on 6432, never to the database itself; I keep the two environments apart.",
  ),
  ask(
    "And the cache, where does it live in both environments?",
    exec("grep -n -A2 '^redis' checkout/config/staging.yaml checkout/config/production.yaml"),
    "Staging uses staging-cache.internal on 6380 and keeps entries for 15 minutes; production uses cache.internal on the usual 6379 and keeps them for 30.",
  ),
  ask(
    "帮我看一下这个周末要做什么，顺便说说哪件最急。",
    read("lists/weekend.md"),
    "周末有六件事：修自行车前刹车、给阳台的番茄浇水、还《The Salt Ledger》、给房东打电话问暖气、买面粉、周日晚上喂酵母。最急的是还书，图书馆周六一点就关门。",
  ),
  ask(
    "Staging runs again after the push. Check the new log for anything odd.",
    read("logs/staging-new-start.log"),
    "1.18.1 reached its database at the first attempt, applied 0007_refunds in 448 ms with 311 rows and has been serving since 08:31. No errors. What I would look at are the slow statements: 25 of them in fifty minutes, and charges appears more often than last night.",
  ),
  ask(
    "Give me the slow statements by table, worst first.",
    exec("grep 'slow statement' logs/staging-new-start.log | grep -o 'table=[a-z]*' | sort | uniq -c | sort -rn"),
    "articles with eleven, charges with nine, orders with five. In last night's log it was four for orders, three for articles and only two for charges, so the new check on charges may have a part in it. The slowest took 928 ms and read 210 rows of charges.",
  ),
  heartbeat("Monitor: staging answers its health check.", quiet),
  ask(
    "What must whoever is on call do when somebody was charged twice? It should be in the runbook.",
    read("checkout/docs/runbook.md"),
    "First find the order in the ledger. Two charges under one key are only shown twice, then an answer to the customer is enough. Two keys mean that the money was taken twice: refund the newer charge with the reason other, approve it up to 200 euros, and write order, charges and both keys into the incident. More than five in a night: stop the worker that charges subscriptions and page the team lead. Rows of the ledger are never deleted.",
  ),
  ask(
    "Too long for the chat. Can you say that in three lines?",
    "1. Same key twice: it is only shown twice, answer the customer.\n2. Two keys: refund the newer charge, approve up to 200 euros, write down both keys.\n3. More than five in a night: stop the subscription worker and page the lead.",
  ),
  ask(
    "The shop team says that vouchers do not work. Why are they refused on staging?",
    exec("grep -o 'voucher refused.*' logs/staging-new-start.log | sort | uniq -c"),
    "Seventeen refusals since the start, none of them odd. BOOKS10 leads with eight: four baskets were below the minimum, three codes had been used and one had expired. HELLO has five, expired or used, and AUTUMN5 four. If a campaign is affected I would look for spaces at the end of its codes; the runbook says that this was the cause three times out of four.",
  ),
  heartbeat(
    "Monitor: the queue of receipts has 111 entries.",
    "The receipts queue stood at 111 a minute ago and shrinks again, well below the 2,000 at which the runbook wakes somebody.",
  ),
  ask(
    "Support wants to know: how many attempts do we make before a charge fails, and how long does that take?",
    "Four attempts. The pauses between them are 250 ms, 500 ms and one second, so waiting costs 1.75 seconds; with a timeout of three seconds for each attempt on staging the worst case is just under fourteen seconds.",
  ),
  ask(
    "How does the service shut down? A colleague says that it cuts off requests which are still running.",
    read("checkout/cmd/checkout/main.go"),
    "On SIGTERM it stops listening and gives running requests five seconds, which is a constant in main.go. A charge may take longer than that when the provider is slow, so your colleague is right: it is cut off, and the customer sees an error although the money may be taken. The value shutdown in the config is never read.",
  ),
  ask(
    "Raise it to twenty seconds for now and check that it builds. Reading it from the config can wait.",
    edit("checkout/cmd/checkout/main.go", ["shutdownTimeout = 5 * time.Second", "shutdownTimeout = 20 * time.Second"]),
    exec("cd checkout && go build -o /dev/null ./cmd/checkout && go vet ./... && echo built"),
    "The timeout is twenty seconds now, the service builds and vet has nothing to say. I would still read it from the config soon, so that the two cannot disagree.",
  ),
  ask(
    "Is git clean in checkout?",
    exec("cd checkout && git status --short"),
    "One file is changed: cmd/checkout/main.go with the longer shutdown. Everything else is committed.",
  ),
  ask(
    "Read the production config as well. Does it agree with what I said about the pooler?",
    read("checkout/config/production.yaml"),
    "It does: host pooler.internal with 6432, a pool of forty, TLS verify-full, and a comment on transaction mode. What I would know before a release: statements end after two seconds instead of four, partial refunds are off until the accountant agrees, and the 30 seconds for a shutdown are as unread as on staging.",
  ),
  ask(
    "Before that goes to production: which locks does the new migration take?",
    read("checkout/migrations/0007_refunds.sql"),
    "Creating refunds and the view takes nothing that anybody waits for. The delete of negative charges locks only its rows. The costly statement is the check on charges: it holds an exclusive lock while the whole table is scanned. With 311 rows moved on staging nobody notices; in production add the constraint as not valid first and validate it in a second migration, which lets writes go on.",
  ),
  ask(
    "There are no red lentils left in the shop. Can I use chickpeas for the dal?",
    "Yes, but cook them first: soaked overnight they need about an hour, from a tin ten minutes in the sauce are enough. It becomes a stew rather than a puree, so take a third less water and crush a few against the side of the pot to thicken it.",
  ),
  ask(
    "Pack for me: three nights in May, trains, one long walk and perhaps the caves. Save it as a list.",
    write(
      "trips/packing.md",
      "# Packing, three nights\n- rain jacket, the warm jumper for the caves (10 degrees)\n- walking shoes, a second pair for the evening\n- power bank, headphones for the quiet car\n- notebook, pencils, the lighthouse novel\n- water bottle, nuts and two apples for the train\n- coins for the lockers at the station\n",
    ),
    "Saved as trips/packing.md: rain jacket and the jumper for the caves, walking shoes, things for six hours of train, the novel, and coins for the lockers because your notes mention them.",
  ),
  ask(
    "Support compares our orders with the provider's list. Give me orders and charges of the new log.",
    exec("grep 'order created\\|charge taken' logs/staging-new-start.log"),
    "Eighteen orders were created and eighteen charges taken, every charge at its first attempt; the slowest took 874 ms. None of the charged orders was created after the restart, so let support compare by order and not by time.",
  ),
  ask(
    "A customer asks until when she can send her teapot back and get a refund.",
    "Until 30 days after delivery; after that the API answers 410. If it arrived damaged she can choose that reason, and nobody has to approve it.",
  ),
  ask(
    "Write that to her in French, two friendly sentences.",
    "Vous pouvez demander le remboursement de votre théière pendant les trente jours qui suivent la livraison. Répondez simplement à ce message avec votre numéro de commande et, si elle est arrivée abîmée, une petite photo : nous nous occupons du reste.",
  ),
  heartbeat("Monitor: build-1 cache is at 85 percent.", quiet),
  ask(
    "Add to my reading notes, lighthouse novel: p. 120, the harbour office admits that it never counted.",
    edit("reading/notes.md", [
      "Club meets on the 14th, I bring the cake.",
      "p. 120: the harbour office admits that it never counted. Club meets on the 14th, I bring the cake.",
    ]),
    "Added under The Lighthouse Tenant, after page 88 and before the date of the club. That explains the different numbers of each night rather nicely.",
  ),
  ask(
    "My last loaf came out flat. Look at the recipe: what would you change?",
    read("recipes/bread.md"),
    "350 g of water on 500 g of flour is not too wet, so I would look at time and temperature. Ten hours at 18 degrees are right, but an hour in the basket is short for a cold kitchen: wait until the mark of a finger comes back slowly. And your own note says that the starter wants two feedings in winter; one is the most likely cause.",
  ),
  ask(
    "Commit the shutdown change too.",
    exec("cd checkout && git commit -q -am 'Let running requests finish for twenty seconds' && git log --oneline"),
    "Committed. There are three commits now: the import, the idempotency key and the longer shutdown.",
  ),
  ask(
    "What does our API do when the same idempotency key comes with another body?",
    "It answers 409. The same key with the same body gives the same answer again, for 24 hours; after that a key is forgotten and would count as new.",
  ),
  ask(
    "Draft the release note for 1.18.1, one paragraph that the shop team understands.",
    "1.18.1 charges every order under one idempotency key, so that a busy provider can no longer take the money twice. Refunds have a table of their own, and the documentation now grants them for thirty days after delivery. When the service is restarted, requests that are still running get twenty seconds to finish, which should end the rare error right after paying. Nothing changes for clients of the API. The two customers who were charged twice this week get the money back by hand.",
  ),
  mark(
    fact,
    ask(
      "Which port did we settle on for the staging database?",
      "5433. The default was refused at the failed start, you corrected it, and checkout/config/staging.yaml has had it ever since.",
    ),
  ),
  ask("And in production?", "6432, which is the pooler. Nobody connects to the database itself there."),
  ask(
    "Is the test for the double charge in the repository?",
    exec("cd checkout && git show --stat --oneline HEAD~1"),
    "Yes, internal/pay/retry_test.go came in with the commit on idempotency keys, together with the docs and the config.",
  ),
  ask(
    "Which train did I choose for Friday, and does it have the quiet car?",
    "The 06:23, REX 734 by Klagenfurt, with the quiet car for 61.00 EUR. It arrives at 12:31.",
  ),
  heartbeat(
    "Monitor: provider reports a short outage.",
    "The provider reports an outage of four minutes. The runbook says to switch the banner on and wait, and not to raise the number of attempts.",
  ),
  ask(
    "How many lines of traffic does the failed log have before the new version starts?",
    exec("grep -n 'msg=starting' logs/staging-failed-start.log | cut -d: -f1"),
    "208; the new version starts in line 209.",
  ),
  ask(
    "Why is the backup of receipts missing, in one sentence for the ticket?",
    "The volume receipts was abandoned at 02:29:09 because it needed 212 GiB on vault-2 and only 96 GiB were free.",
  ),
  ask(
    "Which articles does the rounding test cover?",
    exec("grep -n 'articles :=' checkout/internal/cart/total_test.go"),
    "Paperback, teapot, notebook and scarf, each with three tax rates and one to twelve pieces.",
  ),
  ask("How many people does the dal serve, and how much rice do I cook with it?", "Four, with 70 g of rice a head, so 280 g."),
  compact(summary, summaryOfSplitTurn),
  ask(
    "I was away for an hour. Where were we?",
    "The double charge is fixed and committed, staging runs 1.18.1 on port 5433, and refunds are granted for 30 days. Open are the receipts backup on vault-2 and the slow statements on charges.",
  ),
  ask(
    "Make a note about moving receipts to vault-1.",
    write("ops/todo.md", "# To do\n- move the volume receipts from vault-2 (99 percent) to vault-1 (2.9T free)\n- run the set of 2026-11-29 again for receipts, so that it gets its manifest\n"),
    "It is in ops/todo.md, together with repeating the set so that it gets its manifest.",
  ),
  heartbeat("Monitor: provider is back.", quiet),
  ask("Does the staging config still have the port that we set?", exec("grep -n 'port' checkout/config/staging.yaml"), "Yes, 5433 in line 8."),
  ask("What should I bring to the book club?", "The cake. It meets on the 14th, and you have read up to page 120 of The Lighthouse Tenant."),
  ask(
    "Run the tests one last time, quietly.",
    exec("cd checkout && go test ./..."),
    "All packages pass; only cmd/checkout has no tests.",
  ),
  ask(
    "What did the runbook say about receipts that fail again and again?",
    exec("grep -n 'put aside' checkout/docs/runbook.md"),
    "After eight tries such a receipt is put aside; you can put it aside by hand earlier.",
  ),
  heartbeat("Monitor: all hosts answer.", quiet),
  ask("What may the pension cost in all?", "285 euros for the three nights, at 95 a night."),
  ask(
    "Is there anything on the weekend list about the flat?",
    read("lists/weekend.md"),
    "Yes: call the landlord about the heating, and water the tomatoes on the balcony.",
  ),
  ask("Thank you, that is all for today.", "Good work today. Open for tomorrow: receipts on vault-2 and the slow statements on charges."),
];
