package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// rule is one form that secrets have.
type rule struct {
	kind string
	// words are such that every text with a secret has one of them, in small letters:
	// most texts have none, and are not looked through.
	words []string
	// form finds the secret: the one of its groups that takes part, or all of it where it
	// has no group.
	form *regexp.Regexp
	// is looks again at what was found; nil: it is one.
	is func(secret string) bool
}

// near reports whether the rule is worth trying.
func (r *rule) near(text string) bool {
	for _, w := range r.words {
		if containsFold(text, w) {
			return true
		}
	}
	return false
}

// containsFold reports whether text has word, which is in small ASCII letters, in
// letters of any case.
func containsFold(text, word string) bool {
	for at := 0; at+len(word) <= len(text); at++ {
		if text[at]|0x20 == word[0]|0x20 && strings.EqualFold(text[at:at+len(word)], word) {
			return true
		}
	}
	return false
}

// replace puts what mask gives in the place of each secret.
func (r *rule) replace(text string, mask func(string) string) string {
	var b strings.Builder
	from := 0
	for _, m := range r.form.FindAllStringSubmatchIndex(text, -1) {
		start, end := m[0], m[1]
		for k := 2; k < len(m); k += 2 { // the group that took part
			if m[k] >= 0 {
				start, end = m[k], m[k+1]
				break
			}
		}
		secret := text[start:end]
		if strings.HasPrefix(secret, "[redacted:") || r.is != nil && !r.is(secret) {
			continue
		}
		b.WriteString(text[from:start])
		b.WriteString(mask(secret))
		from = end
	}
	if from == 0 {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}

// rules are tried in this order: what names its provider before what is only called a
// secret. The forms are those that the providers document for their keys: prefix,
// alphabet and length.
//
// A quote may be escaped, however often: JSON stands in the strings of JSON.
var rules = []rule{
	{kind: "private-key", words: []string{"private key"}, form: regexp.MustCompile(
		`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\z)`)},
	{kind: "aws-key", words: []string{"akia", "asia"}, form: regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`)},
	{kind: "github-token", words: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, form: regexp.MustCompile(
		`\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})`)},
	{kind: "gitlab-token", words: []string{"glpat-", "gldt-", "glrt-"}, form: regexp.MustCompile(`\bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,}`)},
	{kind: "slack-token", words: []string{"xox", "xapp-"}, form: regexp.MustCompile(`\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}`)},
	{kind: "slack-webhook", words: []string{"hooks.slack.com"}, form: regexp.MustCompile(`https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/-]+`)},
	{kind: "discord-webhook", words: []string{"/api/webhooks/"}, form: regexp.MustCompile(`https://(?:[a-z]+\.)?discord(?:app)?\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]+`)},
	{kind: "stripe-key", words: []string{"k_live_", "k_test_", "whsec_"}, form: regexp.MustCompile(`\b(?:[spr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{16,})`)},
	{kind: "anthropic-key", words: []string{"sk-ant-"}, form: regexp.MustCompile(`\bsk-ant-[A-Za-z0-9_-]{20,}`)},
	{kind: "openrouter-key", words: []string{"sk-or-"}, form: regexp.MustCompile(`\bsk-or-[A-Za-z0-9_-]{20,}`)},
	{kind: "openai-key", words: []string{"sk-"}, form: regexp.MustCompile(`\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}`), is: hasDigit},
	{kind: "google-key", words: []string{"aiza", "gocspx-", "ya29."}, form: regexp.MustCompile(`\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})`)},
	{kind: "huggingface-token", words: []string{"hf_"}, form: regexp.MustCompile(`\bhf_[A-Za-z0-9]{30,}`)},
	{kind: "npm-token", words: []string{"npm_"}, form: regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{kind: "pypi-token", words: []string{"pypi-"}, form: regexp.MustCompile(`\bpypi-[A-Za-z0-9_-]{50,}`)},
	{kind: "sendgrid-key", words: []string{"sg."}, form: regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`)},
	{kind: "telegram-token", words: []string{":aa"}, form: regexp.MustCompile(`\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`)},
	{kind: "digitalocean-token", words: []string{"_v1_"}, form: regexp.MustCompile(`\bdo[opr]_v1_[a-f0-9]{64}\b`)},
	{kind: "vault-token", words: []string{"hvs.", "hvb."}, form: regexp.MustCompile(`\bhv[sb]\.[A-Za-z0-9_-]{20,}`)},
	{kind: "age-key", words: []string{"age-secret-key-1"}, form: regexp.MustCompile(`\bAGE-SECRET-KEY-1[A-Z0-9]{40,}`)},
	{kind: "twilio-key", words: []string{"sk"}, form: regexp.MustCompile(`\bSK[0-9a-f]{32}\b`)},
	{kind: "jwt", words: []string{"eyj"}, form: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?`)},
	{kind: "bearer-token", words: []string{"bearer", "authorization"}, form: regexp.MustCompile(
		`(?i)(?:\bbearer\s+|\bauthorization(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?(?:bearer|basic|token)\s+)([A-Za-z0-9._~+/=-]{12,})`), is: hasDigitOrMix},
	// RFC 3986: what stands between the colon of the user and the @ of the host.
	{kind: "url-password", words: []string{"://"}, form: regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:([^\s/"'<>\[\]]+)@`), is: notPlaceholder},
	{kind: "url-token", words: []string{"://"}, form: regexp.MustCompile(`\b[A-Za-z][A-Za-z0-9+.-]*://([^\s/:@"'<>\[\]]{16,})@`), is: looksDrawn},
	{kind: "url-token", words: []string{"token=", "key=", "sig=", "signature=", "secret=", "password="}, form: regexp.MustCompile(
		`(?i)[?&](?:access_token|auth_token|token|api_?key|key|sig|signature|x-amz-signature|secret|password)=([^\s&#"'<>]{8,})`), is: hasDigitOrMix},
	{kind: "cookie", words: []string{"cookie"}, form: regexp.MustCompile(`(?i)\bcookie(?:\\*["'])?\s*:\s*(?:\\*["'])?([^\s"'\\=]+=[^\r\n"'\\]{8,})`)},
	{kind: "password", words: []string{"-u", "--user"}, form: regexp.MustCompile(`(?:^|\s)(?:-u|--user)[\s=]+["']?[^\s:"'/\\]+:([^\s"'\\]{4,})`), is: notPlaceholder},
	{kind: "password", words: []string{"--pass", "--token", "--secret", "--api"}, form: regexp.MustCompile(
		`(?i)(?:^|[\s"'])--(?:pass|password|passwd|passphrase|token|secret|api-?key|auth-?token|access-?token)(?:\\*["'])?\s*[\s,]\s*(?:\\*["'])?([^\s"'\\,;<>(){}\[\]-][^\s"'\\,;<>(){}\[\]]{5,})`), is: notPlaceholder},
	{kind: "password", words: []string{"password", "passwd", "passphrase", "pwd"}, form: regexp.MustCompile(
		`(?i)\b[\w.-]{0,40}(?:password|passwd|passphrase|pwd)[\w.-]{0,20}(?:\\*["'])?\s*(?:[:=]|:=|=>)\s*(?:` +
			`"([^"\r\n\\]*[ \t][^"\r\n\\]*)"|'([^'\r\n\\]*[ \t][^'\r\n\\]*)'|\\+"([^"\r\n\\]*[ \t][^"\r\n\\]*)\\+")`), is: isPhrase},
	{kind: "password", words: []string{"password", "passwd", "passphrase", "pwd"}, form: regexp.MustCompile(
		`(?i)\b[\w.-]{0,40}(?:password|passwd|passphrase|pwd)[\w.-]{0,20}(?:\\*["'])?\s*(?:[:=]|:=|=>)\s*(?:\\*["'])?([^\s"'\\,;<>(){}\[\]]{6,})`), is: notPlaceholder},
	{kind: "secret", words: []string{"secret", "token", "key", "credential"}, form: regexp.MustCompile(
		`(?i)\b[\w.-]{0,40}(?:secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|auth[_-]?key|credentials?)[\w.-]{0,20}(?:\\*["'])?\s*(?:[:=]|:=|=>)\s*(?:\\*["'])?([A-Za-z0-9._~+/=-]{12,})`), is: looksDrawn},
	{kind: "email", words: []string{"@"}, form: regexp.MustCompile(`(?:^|[^A-Za-z0-9._%+/-])([A-Za-z0-9][A-Za-z0-9._%+-]*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,})\b`), is: ofPerson},
}

// Kinds lists what is masked, in the order in which it is looked for.
func Kinds() []string {
	kinds := make([]string, len(rules))
	for i := range rules {
		kinds[i] = rules[i].kind
	}
	return kinds
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// hasDigitOrMix reports whether s has a digit, or letters of both cases: words have
// neither.
func hasDigitOrMix(s string) bool {
	return hasDigit(s) || strings.ToLower(s) != s && strings.ToUpper(s) != s && random(s, 3)
}

// looksDrawn reports whether s looks drawn by lot, and not like a name or a path.
func looksDrawn(s string) bool { return hasDigit(s) && random(s, 3) && notPlaceholder(s) }

// notPlaceholder reports whether s is more than what stands for a secret in examples.
func notPlaceholder(s string) bool {
	switch strings.ToLower(strings.Trim(s, "*.x")) {
	case "", "password", "passwd", "pass", "secret", "null", "none", "true", "false", "undefined", "string", "required", "optional":
		return false
	}
	return !strings.ContainsAny(s[:1], "$%{<*")
}

// names are the keys under which a JSON value is a secret, whatever it looks like: a
// number, or a text with blanks and line ends.
var names = regexp.MustCompile(`(?i)(?:password|passwd|passphrase|passcode|pwd)$`)

// leastSecret is the length in bytes from which a value under such a key is more than an
// example.
const leastSecret = 6

// isPhrase reports whether what stands in quotes behind the name of a password may be one
// of several words, and is not a sentence or a placeholder.
func isPhrase(s string) bool {
	return !strings.Contains(s, "[redacted:") && len(strings.TrimSpace(s)) >= leastSecret && notPlaceholder(strings.TrimSpace(s))
}

// ofPerson reports whether an address is more than the user under which machines log in.
func ofPerson(address string) bool {
	user, host, _ := strings.Cut(strings.ToLower(address), "@")
	switch {
	case user == "git" || user == "noreply" || user == "no-reply":
		return false
	case host == "example.com" || strings.HasSuffix(host, ".example.com") || strings.HasSuffix(host, ".example"):
		return false
	}
	return true
}
