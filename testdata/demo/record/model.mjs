// The scripted model: an OpenAI-compatible chat endpoint on loopback. Every
// request takes the next answer of a queue, so that what the gateway does with
// its prompts does not matter; a request beyond the queue is an error of the
// script and is remembered.
import http from "node:http";

export class ScriptedModel {
  #answers = [];
  #summaries = [];
  #served = 0;
  #server;
  errors = [];

  // Answers are {text, calls: [{name, args}]}; summaries answer the requests
  // that carry no tools, which is how the gateway compacts.
  script(answers, summaries = []) {
    this.#answers = [...answers];
    this.#summaries = [...summaries];
  }

  get left() {
    return this.#answers.length + this.#summaries.length;
  }

  get lastResponse() {
    return `scripted-${this.#served}`;
  }

  // Starts listening; resolves to the base URL for the gateway's configuration.
  listen() {
    this.#server = http.createServer((req, res) => this.#handle(req, res));
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${this.#server.address().port}/v1`));
    });
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #handle(req, res) {
    let raw = "";
    for await (const chunk of req) raw += chunk;
    if (req.method !== "POST") {
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ object: "list", data: [{ id: "scripted-1", object: "model" }] }));
      return;
    }
    const request = JSON.parse(raw);
    this.#served++;
    this.#send(res, request, this.#next(request), Math.ceil(raw.length / 4));
  }

  #next(request) {
    const text = request.tools?.length ? undefined : this.#summaries.shift();
    const answer = text ? { text } : this.#answers.shift();
    if (answer) return answer;
    const last = request.messages?.at(-1);
    this.errors.push(`a request beyond the script, last message: ${JSON.stringify(last).slice(0, 300)}`);
    return { text: "NO_REPLY" };
  }

  #send(res, request, answer, promptTokens) {
    const tool_calls = answer.calls?.map((call, index) => ({
      index,
      id: `call_${this.#served}_${index}`,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.args) },
    }));
    const text = answer.text ?? "";
    const completion = Math.ceil((text.length + JSON.stringify(tool_calls ?? "").length) / 4);
    const usage = { prompt_tokens: promptTokens, completion_tokens: completion, total_tokens: promptTokens + completion };
    const base = { id: this.lastResponse, created: Math.floor(Date.now() / 1000), model: request.model };
    const finish_reason = tool_calls ? "tool_calls" : "stop";
    if (!request.stream) {
      const message = { role: "assistant", content: text, ...(tool_calls && { tool_calls }) };
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ ...base, object: "chat.completion", usage, choices: [{ index: 0, finish_reason, message }] }));
      return;
    }
    res.setHeader("content-type", "text/event-stream");
    const chunk = (choices, extra) =>
      res.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices, ...extra })}\n\n`);
    chunk([{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }]);
    if (tool_calls) chunk([{ index: 0, delta: { tool_calls }, finish_reason: null }]);
    chunk([{ index: 0, delta: {}, finish_reason }]);
    chunk([], { usage });
    res.end("data: [DONE]\n\n");
  }
}
