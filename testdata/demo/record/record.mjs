// record.mjs BIN HOME OUT: plays the turns against a real gateway and writes
// OUT/session.jsonl and OUT/story.json. BIN holds the openclaw command; HOME,
// where the gateway lives, must not exist yet. record.sh calls it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Gateway } from "./gateway.mjs";
import { ScriptedModel } from "./model.mjs";
import { turns } from "./turns.mjs";
import { makeWorkspace } from "./workspace.mjs";

// Tools are slow the first time: what they build is built before the recording,
// so that none is put into the background. The history has one commit.
function prepare(workspace, env) {
  makeWorkspace(workspace);
  const cwd = path.join(workspace, "checkout");
  const run = (command, ...args) => execFileSync(command, args, { cwd, env, stdio: "ignore" });
  run("git", "init", "-q", "-b", "main");
  run("git", "config", "user.name", "Ada");
  run("git", "config", "user.email", "ada@shop.example");
  run("git", "add", "-A");
  run("git", "commit", "-q", "-m", "Import the checkout service");
  run("go", "test", "-run", "^$", "./...");
  run("go", "vet", "./...");
}

// Runs one step and returns when the transcript holds all of it.
async function play(step, gateway, model) {
  model.script(step.answers, step.summaries);
  if (step.kind === "ask") await gateway.say(step.user);
  if (step.kind === "heartbeat") await gateway.wake(step.event);
  if (step.kind === "compact") await gateway.compact();
  // The run of a heartbeat goes on after the event was taken.
  for (let i = 0; model.left > 0 && i < 600; i++) await new Promise((resolve) => setTimeout(resolve, 100));
  if (model.left > 0) throw new Error(`the gateway did not ask for all answers: ${model.left} are left`);
  if (model.errors.length > 0) throw new Error(model.errors[0]);
  if (step.kind !== "compact") await gateway.stored(model.lastResponse);
}

// The story names the entry that holds the fact, and the turn of the question.
function tellStory(lines) {
  const asked = turns.filter((step) => step.kind !== "compact");
  const turn = asked.findIndex((step) => step.fact) + 1;
  const { fact, user: question } = asked[turn - 1];
  const needed = lines.map((line) => JSON.parse(line)).find((entry) => entry.message?.role === "user" && entry.message.content === fact);
  if (!needed) throw new Error(`the transcript has no user message “${fact}”`);
  return {
    title: "checkout service",
    label: "real gateway and tools, scripted model",
    start: { turn: 1, strategy: "lastk", budget: "5%", pace_ms: 250 },
    mark: { turn, question, needed: needed.id, fact },
    invite: "press 1 to see it come back",
    after: "#{item} is back from turn {said}, {ago} turns ago: {strategy} keeps it within the same {budget}",
  };
}

async function record(bin, home, out) {
  const workspace = path.join(home, "workspace");
  const model = new ScriptedModel();
  const gateway = new Gateway({ bin, home, workspace, log: path.join(out, "gateway.log") });
  prepare(workspace, gateway.env);
  try {
    await gateway.start(await model.listen());
    for (const [index, step] of turns.entries()) {
      await play(step, gateway, model);
      console.log(`${index + 1}/${turns.length} ${step.kind}: ${(step.user ?? step.event ?? "").slice(0, 60)}`);
    }
    const lines = gateway.transcript();
    const leak = [bin, out].find((folder) => lines.some((line) => line.includes(folder)));
    if (leak) throw new Error(`the transcript names ${leak}, a folder of this machine`);
    fs.writeFileSync(path.join(out, "session.jsonl"), lines.join("\n") + "\n");
    fs.writeFileSync(path.join(out, "story.json"), JSON.stringify(tellStory(lines), null, 2) + "\n");
  } finally {
    await gateway.stop();
    model.close();
  }
}

const [bin, home, out] = process.argv.slice(2);
await record(bin, home, out);
