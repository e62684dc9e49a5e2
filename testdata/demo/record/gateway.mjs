// A real OpenClaw gateway on loopback, with a home of its own.
import { spawn } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";

const sessionKey = "agent:main:main";
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export class Gateway {
  #token = crypto.randomBytes(16).toString("hex");
  #child;

  // bin is the folder of the openclaw command, home the gateway's HOME.
  constructor({ bin, home, workspace, log }) {
    this.bin = bin;
    this.home = home;
    this.workspace = workspace;
    this.log = fs.openSync(log, "w");
    this.state = path.join(home, ".openclaw");
  }

  get env() {
    return {
      PATH: `${this.bin}:${process.env.PATH}`,
      HOME: this.home,
      OPENCLAW_STATE_DIR: this.state,
      OPENCLAW_CONFIG_PATH: path.join(this.state, "openclaw.json"),
      OPENCLAW_HIDE_BANNER: "1",
      GOTOOLCHAIN: "local",
      GOFLAGS: "-mod=mod",
      LANG: "C.UTF-8",
      NO_COLOR: "1",
      TZ: "UTC",
    };
  }

  // Writes the configuration and starts the gateway; returns when it answers.
  async start(modelURL) {
    this.port = await freePort();
    fs.mkdirSync(this.state, { recursive: true });
    fs.writeFileSync(this.env.OPENCLAW_CONFIG_PATH, JSON.stringify(this.#config(modelURL), null, 2));
    this.#child = spawn("openclaw", ["gateway", "run"], { cwd: this.home, env: this.env, stdio: ["ignore", this.log, this.log] });
    for (let i = 0; i < 240; i++) {
      if (this.#child.exitCode !== null) throw new Error(`the gateway ended with status ${this.#child.exitCode}: see its log`);
      const up = await fetch(`http://127.0.0.1:${this.port}/healthz`).then((r) => r.ok, () => false);
      if (up) return;
      await sleep(500);
    }
    throw new Error("the gateway did not answer within two minutes: see its log");
  }

  async stop() {
    if (!this.#child || this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill();
    await Promise.race([ended, sleep(15000).then(() => this.#child.kill("SIGKILL"))]);
  }

  say(message) {
    return this.#openclaw("agent", "--agent", "main", "--message", message);
  }

  // Wakes the agent with an event, as a monitor would: a heartbeat run.
  wake(text) {
    return this.#openclaw("system", "event", "--mode", "now", "--text", text, "--url", `ws://127.0.0.1:${this.port}`, "--token", this.#token);
  }

  compact() {
    return this.#openclaw("sessions", "compact", sessionKey, "--json");
  }

  // Waits until the transcript holds the answer with this response id.
  async stored(responseId) {
    for (let i = 0; i < 300; i++) {
      if (this.transcript().some((line) => line.includes(`"responseId":"${responseId}"`))) return;
      await sleep(100);
    }
    throw new Error(`the answer ${responseId} was not stored within 30 s`);
  }

  // The lines of the session's transcript, exactly as they are stored.
  transcript() {
    const db = new DatabaseSync(path.join(this.state, "agents/main/agent/openclaw-agent.sqlite"), { readOnly: true });
    try {
      return db
        .prepare(
          `select event_json, event_zstd from transcript_events join session_nodes on session_id = current_session_id
           where session_key = ? order by seq`,
        )
        .all(sessionKey)
        .map((row) => row.event_json ?? zlib.zstdDecompressSync(row.event_zstd).toString("utf8"));
    } finally {
      db.close();
    }
  }

  #openclaw(...args) {
    return new Promise((resolve, reject) => {
      const child = spawn("openclaw", args, { cwd: this.home, env: this.env, stdio: ["ignore", this.log, this.log] });
      child.once("error", reject);
      child.once("exit", (code) =>
        code === 0 ? resolve() : reject(new Error(`openclaw ${args.slice(0, 2).join(" ")} ended with status ${code}: see the gateway's log`)),
      );
    });
  }

  #config(modelURL) {
    const model = {
      id: "scripted-1",
      name: "Scripted",
      reasoning: false,
      input: ["text"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 200000,
      maxTokens: 8192,
    };
    return {
      agents: {
        defaults: {
          workspace: this.workspace,
          skipBootstrap: true,
          userTimezone: "UTC",
          model: { primary: "scripted/scripted-1" },
          heartbeat: { every: "0m" },
        },
      },
      models: {
        mode: "merge",
        providers: { scripted: { baseUrl: modelURL, apiKey: "none", api: "openai-completions", timeoutSeconds: 60, models: [model] } },
      },
      tools: { exec: { security: "full", ask: "off" } },
      gateway: { mode: "local", port: this.port, bind: "loopback", auth: { mode: "token", token: this.#token } },
    };
  }
}
