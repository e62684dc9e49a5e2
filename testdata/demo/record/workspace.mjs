// Makes the agent's workspace: the files of workspace/ beside this script, and
// four long ones that nobody would want to read in a repository. The same bytes
// at each run.
import fs from "node:fs";
import path from "node:path";

const source = path.join(import.meta.dirname, "workspace");

export function makeWorkspace(dir) {
  fs.cpSync(source, dir, { recursive: true });
  const write = (name, lines) => {
    const file = path.join(dir, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, lines.join("\n") + "\n");
  };
  write("logs/staging-failed-start.log", failedStart());
  write("logs/staging-new-start.log", newStart());
  write("ops/backup.log", backup());
  write("trips/timetable.csv", timetable());
}

// A small generator of even numbers (mulberry32), so that every run draws the same.
function numbers(seed) {
  const draw = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low, high) => low + Math.floor(draw() * (high - low + 1));
  return { between, one: (list) => list[between(0, list.length - 1)] };
}

const two = (n) => String(n).padStart(2, "0");

// One line of traffic of the service.
function traffic(r) {
  const order = `o_${r.between(58000, 58999)}`;
  const ms = r.between(4, 90);
  return r.one([
    () => `level=info msg="basket read" basket=b_${r.between(2100, 2399)} lines=${r.between(1, 9)} cache=hit ms=${r.between(1, 6)}`,
    () => `level=info msg="basket read" basket=b_${r.between(2100, 2399)} lines=${r.between(1, 14)} cache=miss ms=${ms}`,
    () => `level=info msg="order created" order=${order} country=${r.one(["SI", "AT", "DE", "IT", "HR"])} cents=${r.between(900, 18000)} ms=${ms}`,
    () => `level=info msg="charge taken" order=${order} attempts=1 ms=${r.between(180, 900)}`,
    () => `level=warn msg="provider busy" order=${order} attempt=${r.between(1, 3)} pause=${r.one(["250ms", "500ms", "1s"])}`,
    () => `level=info msg="receipt queued" order=${order} template=${r.one(["paid", "shipped", "refunded"])} queue=${r.between(3, 140)}`,
    () => `level=info msg="refund booked" order=${order} cents=${r.between(200, 4000)} reason=${r.one(["damaged", "late", "wrong_article"])}`,
    () => `level=debug msg="stock reserved" article=a_${r.between(400, 990)} pieces=${r.between(1, 4)} warehouse=${r.one(["north", "river", "hill"])}`,
    () => `level=info msg="voucher refused" code=${r.one(["AUTUMN5", "BOOKS10", "HELLO"])} cause=${r.one(["expired", "used", "below minimum"])}`,
    () => `level=warn msg="slow statement" table=${r.one(["orders", "charges", "articles"])} rows=${r.between(1, 400)} ms=${r.between(310, 980)}`,
    () => `level=info msg="address corrected" country=SI postcode=${r.between(1000, 9000)} ms=${r.between(12, 60)}`,
  ])();
}

// The old version serves, the new one does not reach its database.
function failedStart() {
  const r = numbers(21);
  const lines = [];
  let ms = 0;
  const at = (step) => {
    ms += step;
    return `2026-11-29T21:${two(2 + Math.floor(ms / 60000))}:${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, "0")}Z`;
  };
  for (let i = 0; i < 208; i++) lines.push(`${at(r.between(400, 6200))} ${traffic(r)}`);
  lines.push(`${at(900)} level=info msg=starting version=1.18.0 config=config/staging.yaml`);
  for (let attempt = 1; attempt <= 7; attempt++) {
    lines.push(
      `${at(1000 * attempt)} level=error msg="database not reached" attempt=${attempt} error="dial tcp staging-db.internal:5432: connect: connection refused"`,
    );
  }
  lines.push(`${at(300)} level=error msg="giving up" after=7 exit=1`);
  return lines;
}

// The start after the repair, with its migrations and first hour.
function newStart() {
  const r = numbers(22);
  const lines = [
    "2026-11-30T08:31:02.114Z level=info msg=starting version=1.18.1 config=config/staging.yaml",
    "2026-11-30T08:31:02.390Z level=info msg=\"database reached\" attempt=1 ms=212",
    "2026-11-30T08:31:02.871Z level=info msg=\"migration applied\" name=0007_refunds rows=311 ms=448",
    "2026-11-30T08:31:02.902Z level=info msg=listening address=:8080",
  ];
  let s = 4;
  for (let i = 0; i < 212; i++) {
    s += r.between(2, 26);
    lines.push(`2026-11-30T${two(8 + Math.floor((s + 1860) / 3600))}:${two(Math.floor((s + 1860) / 60) % 60)}:${two(s % 60)}.${String(r.between(0, 999)).padStart(3, "0")}Z ${traffic(r)}`);
  }
  return lines;
}

// A night of backups: five volumes, the third one finds no room.
function backup() {
  const r = numbers(23);
  const lines = ["02:00:00 set 2026-11-29 opened on vault-2, five volumes, retention 35 nights"];
  let s = 7200;
  const at = (step) => {
    s += step;
    return `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  };
  ["ledger", "orders", "receipts", "images", "mail"].forEach((volume, index) => {
    lines.push(`${at(4)} volume ${index + 1}/5 ${volume}: snapshot taken, ${r.between(40, 900)} thousand files`);
    for (let i = 0; i < 58; i++) {
      const part = `${volume}/${r.between(2019, 2026)}-${two(r.between(1, 12))}/${r.one(["part", "chunk", "page"])}-${r.between(10000, 99999)}`;
      const size = `${r.between(3, 940)}.${r.between(0, 9)} MiB`;
      lines.push(
        `${at(r.between(3, 21))} ${r.one([
          `stored   ${part} ${size} at ${r.between(60, 190)} MiB/s`,
          `unchanged ${part} ${size}`,
          `stored   ${part} ${size}, compressed to ${r.between(21, 88)} %`,
          `verified ${part} against last night's sum`,
        ])}`,
      );
      if (volume === "receipts" && i === 29) {
        lines.push(`${at(5)} ERROR volume 3/5 receipts: no space left on vault-2 (212 GiB needed, 96 GiB free)`);
        lines.push(`${at(1)} volume 3/5 receipts: abandoned, 30 parts removed again`);
        break;
      }
    }
    if (volume !== "receipts") lines.push(`${at(9)} volume ${index + 1}/5 ${volume}: done`);
  });
  lines.push(`${at(12)} set 2026-11-29 closed WITHOUT manifest: 4 of 5 volumes`);
  return lines;
}

// Connections to Ljubljana on three days.
function timetable() {
  const r = numbers(24);
  const lines = ["day,departs,arrives,minutes,train,change,wait,seats,price"];
  for (const day of ["Fri", "Sat", "Mon"]) {
    for (let minute = 300; minute < 1380; minute += r.between(8, 17)) {
      const change = r.one(["Villach", "Graz and Maribor", "Salzburg and Villach", "Klagenfurt", "Maribor"]);
      const ride = r.between(362, 571);
      const arrives = (minute + ride) % 1440;
      lines.push(
        [
          day,
          `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
          `${two(Math.floor(arrives / 60))}:${two(arrives % 60)}`,
          ride,
          `${r.one(["EC", "IC", "RJ", "REX"])} ${r.between(100, 999)}`,
          change,
          `${r.between(6, 58)} min`,
          r.one(["many", "few", "quiet car", "quiet car full", "reservation needed", "bicycles allowed"]),
          `${r.between(39, 94)}.${r.one(["00", "40", "90"])} EUR`,
        ].join(","),
      );
    }
  }
  return lines;
}
