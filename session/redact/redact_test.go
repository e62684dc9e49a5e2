package redact_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/session/redact"
)

// made are secrets of each kind, put together here so that no tool takes them for real.
var made = []struct{ kind, text, secret string }{
	{"aws-key", "AWS_ACCESS_KEY_ID=%", "AKIA" + "QWERTYUIOP234567"},
	{"github-token", "git clone with %", "ghp" + "_" + strings.Repeat("a1B2", 9)},
	{"github-token", "%", "github" + "_pat_" + strings.Repeat("a1B2_", 9)},
	{"gitlab-token", "token %", "glpat" + "-" + strings.Repeat("x7Yz", 5)},
	{"slack-token", "(%)", "xoxb" + "-123456789012-" + strings.Repeat("aB3", 8)},
	{"slack-webhook", "post to % now", "https://hooks.slack.com" + "/services/T000/B000/XXyyZZ11"},
	{"discord-webhook", "%", "https://discord.com" + "/api/webhooks/1234/ab-CD_ef"},
	{"stripe-key", "use %.", "sk" + "_live_" + strings.Repeat("4eC3", 6)},
	{"anthropic-key", "ANTHROPIC_API_KEY=%", "sk" + "-ant-api03-" + strings.Repeat("Ab1_", 10)},
	{"openrouter-key", "%", "sk" + "-or-v1-" + strings.Repeat("0f1e", 16)},
	{"openai-key", "OPENAI_API_KEY: %", "sk" + "-proj-" + strings.Repeat("Zx9_", 12)},
	{"google-key", "maps %", "AI" + "za" + strings.Repeat("SyA1-", 7)},
	{"huggingface-token", "HF_TOKEN=%", "hf" + "_" + strings.Repeat("aBcDe", 7)},
	{"npm-token", "//registry/:_authToken=%", "npm" + "_" + strings.Repeat("a1B2", 9)},
	{"pypi-token", "%", "pypi" + "-AgEI" + strings.Repeat("cHlwaS", 9)},
	{"sendgrid-key", "%", "SG" + "." + strings.Repeat("ab1", 7) + "." + strings.Repeat("Cd2", 14)},
	{"telegram-token", "bot %", "123456789" + ":AA" + strings.Repeat("Hq9", 11)},
	{"digitalocean-token", "%", "dop" + "_v1_" + strings.Repeat("0a1b", 16)},
	{"jwt", "cookie: %", "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl"},
	{"bearer-token", "curl -H 'Authorization: Bearer %'", "a8f5f167f44f4964e6c998dee827110c"},
	{"bearer-token", "Authorization: Basic %", "dXNlcjpodW50ZXIy"},
	{"url-password", "postgres://app:%@db.internal:5432/orders", "s3cr3t!x"},
	{"url-token", "https://host.internal/cb?state=1&access_token=%&x=2", "9f8e7d6c5b4a"},
	{"password", "DB_PASSWORD=%", "correct-horse-battery"},
	{"password", `{"password": "%"}`, "hunter2hunter2"},
	{"secret", "client_secret = '%'", "q8Zt4Lm2Vx9Rk1Ws"},
	{"secret", `"apiKey": "%"`, "5f4dcc3b5aa765d61d8327deb882cf99"},
	{"email", "write to % today", "ada.lovelace" + "@analytical-engine.org"},
	{"vault-token", "VAULT %", "hvs" + "." + strings.Repeat("CAESa1", 5)},
	{"age-key", "%", "AGE-SECRET" + "-KEY-1" + strings.Repeat("QZ2R", 14)},
	{"twilio-key", "sid %", "SK" + strings.Repeat("0a1b", 8)},
	{"cookie", "Set-Cookie: %", "sid=a8f5f167f44f4964; Path=/"},
	{"url-token", "git clone https://%@github.com/o/r", "a1B2c3D4e5F6g7H8i9J0"},
	{"url-password", "https://user:%@host.internal/x", "p@ssw0rd"},
	{"password", "curl -u ada:% https://host.internal", "hunter2hunter2"},
	{"password", "mysql --password % -h db", "hunter2hunter2"},
	{"password", `["--password","%"]`, "hunter2hunter2"},
	{"password", `{\"password\": \"%\"}`, "hunter2hunter2"},
	{"password", `{\\\"password\\\":\\\"%\\\"}`, "hunter2hunter2"},
	{"password", `password: "%"`, "correct horse battery"},
	{"password", "DB_PASSPHRASE='%' make", "it is a long one"},
	{"password", `{\"password\": \"%\"}`, "correct horse battery"},
	{"secret", `{\"apiKey\": \"%\"}`, "5f4dcc3b5aa765d61d8327deb882cf99"},
	{"secret", "AccountKey=%", "q8Zt4Lm2Vx9Rk1Ws=="},
	{"private-key", "%\nend", "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE" + " KEY-----"},
	{"private-key", "%", "-----BEGIN OPENSSH PRIVATE" + " KEY-----\nb3BlbnNzaC1rZXktdjE and cut off"},
}

func TestEachKindIsMasked(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range made {
		seen[m.kind] = true
		var r redact.Redactor
		want := strings.Replace(m.text, "%", "[redacted:"+m.kind+"]", 1)
		if got := r.Text(strings.Replace(m.text, "%", m.secret, 1)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if n := r.Counts()[m.kind]; n != 1 {
			t.Errorf("%s: %d counted", m.kind, n)
		}
	}
	for _, kind := range redact.Kinds() {
		if !seen[kind] {
			t.Errorf("no secret of the kind %s is tried", kind)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	var r redact.Redactor
	for _, text := range []string{
		"", "the staging db port is 5433", "the password is required", "password: required", "PASSWORD=$DB_PASSWORD", "token: string",
		"set the api key in the settings", "key = value", "keyboard: qwerty", "git@github.com:owner/name.git", "someone@example.com",
		"https://user@host.internal/path", "http://localhost:8080/a@b", "postgres://app:${PASS}@db/orders", "commit a8f5f167f44f4964e6c998dee827110c",
		"sk-learn and scikit-learn-contrib-of-old", "tokens: 1,204 of 36,165", "primary_key: customer_id_of_order", "bearer of good news here",
		"--token and --password are flags", "use --password", "a cookie: nothing to say", "AKIA is a prefix", "xoxb- is a prefix", "password: ********", "[redacted:aws-key]", "api_key=[redacted:aws-key]",
	} {
		if got := r.Text(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if n := r.Counts(); len(n) > 0 {
		t.Errorf("counted %v", n)
	}
}

func TestEqualSecretsHaveEqualMasks(t *testing.T) {
	var r redact.Redactor
	one, two := "ghp"+"_"+strings.Repeat("a1B2", 9), "ghp"+"_"+strings.Repeat("c3D4", 9)
	if got, want := r.Text(one+" "+two+" "+one), "[redacted:github-token] [redacted:github-token-2] [redacted:github-token]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := r.Text("again " + two); got != "again [redacted:github-token-2]" {
		t.Errorf("%q", got)
	}
}

func TestJSON(t *testing.T) {
	key := "-----BEGIN PRIVATE" + ` KEY-----\nMIIE\n-----END PRIVATE` + " KEY-----"
	for _, c := range []struct{ raw, want string }{
		{``, ``},
		{`{"b":1,"a":"x"}`, `{"b":1,"a":"x"}`},
		{`{"password":"hunter2hunter2","n":1}`, `{"password":"[redacted:password]","n":1}`},
		{`{"text":"a \"quoted\" word","password":"hunter2hunter2"}`, `{"text":"a \"quoted\" word","password":"[redacted:password]"}`},
		{`{"command":"echo '` + key + `' > k","x":["\u0041"]}`, `{"command":"echo '[redacted:private-key]' \u003e k","x":["\u0041"]}`},
		{`{"command":"curl -H \"Authorization: Bearer a8f5f167f44f4964e6c998dee827110c\""}`, `{"command":"curl -H \"Authorization: Bearer [redacted:bearer-token]\""}`},
		{`{"a":"-----BEGIN PRIVATE` + ` KEY-----","b":1}`, `{"a":"[redacted:private-key]","b":1}`},
		{`{"password":"correct horse\nbattery","n":1}`, `{"password":"[redacted:password]","n":1}`},
		{`{"db_password": 12345678, "port":54321}`, `{"db_password": "[redacted:password]", "port":54321}`},
		{`{"passcode":-1.5e10,"a":[1234567,{"pwd":["1234567"]}]}`, `{"passcode":"[redacted:password]","a":[1234567,{"pwd":["1234567"]}]}`},
		{`{"password":"required","pwd":1234,"password_hint":"the name of a street"}`, `{"password":"required","pwd":1234,"password_hint":"the name of a street"}`},
		{`{"password":true,"n":1234567}`, `{"password":true,"n":1234567}`},
		{`"user@mail.org`, `"[redacted:email]`},
	} {
		var r redact.Redactor
		if got := string(r.JSON([]byte(c.raw))); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.raw, got, c.want)
		}
	}
}

// A mask is masked no further, and what is valid JSON stays it.
func TestMaskedTextStaysAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var secrets []string
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			b.WriteString(rapid.StringN(0, 12, -1).Draw(t, "text") + " ")
			if m := rapid.SampledFrom(made).Draw(t, "secret"); m.kind != "private-key" {
				b.WriteString(strings.Replace(m.text, "%", m.secret, 1) + "\n")
				secrets = append(secrets, m.secret)
			}
		}
		var r redact.Redactor
		once := r.Text(b.String())
		if twice := r.Text(once); twice != once {
			t.Fatalf("%q becomes %q", once, twice)
		}
		raw, _ := json.Marshal(map[string]string{"text": b.String()})
		masked := r.JSON(raw)
		if !json.Valid(masked) {
			t.Fatalf("%s is no JSON", masked)
		}
		if i := slices.IndexFunc(secrets, func(s string) bool { return strings.Contains(once, s) }); i >= 0 {
			t.Fatalf("%q is in %q", secrets[i], once)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, m := range made {
		f.Add(strings.Replace(m.text, "%", m.secret, 1))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r redact.Redactor
		r.Text(text)
		for _, raw := range []string{text, `{"a":` + text + `,"b":"` + text + `"}`} {
			if json.Valid([]byte(raw)) && !json.Valid(r.JSON([]byte(raw))) {
				t.Fatalf("%q is no JSON any more", raw)
			}
		}
	})
}
