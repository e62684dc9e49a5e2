// The small language that the turns are written in: each step is one run of the
// gateway, and the answers that the scripted model gives in it.

const call = (name, args) => ({ name, args });

export const read = (path) => call("read", { path });
export const exec = (command) => call("exec", { command });
export const write = (path, content) => call("write", { path, content });
// Replacements are pairs of an old and a new text.
export const edit = (path, ...replacements) => call("edit", { path, edits: replacements.map(([oldText, newText]) => ({ oldText, newText })) });

// A round is one call, or several in parallel, or {text, calls} where the
// assistant says something first.
function answers(rounds, last) {
  const calling = rounds.map((round) => (round.calls ? round : { calls: [round].flat() }));
  return [...calling, { text: last }];
}

// A person asks; the assistant works in rounds of tool calls and then answers.
export const ask = (user, ...rest) => ({ kind: "ask", user, answers: answers(rest.slice(0, -1), rest.at(-1)) });

// The question at which the story stops; fact is the text that answers it.
export const mark = (fact, step) => ({ ...step, fact });

// The gateway's own poll, woken by an event.
export const heartbeat = (event, ...rest) => ({ kind: "heartbeat", event, answers: answers(rest.slice(0, -1), rest.at(-1)) });
export const quiet = "NO_REPLY";

// A compaction, with the summaries that the model writes: of the history, and of
// the beginning of the turn that the gateway splits.
export const compact = (...summaries) => ({ kind: "compact", summaries, answers: [] });
