// What cannot wait for the page's script: the colours that the reader chose, so that nothing flashes, and the first
// questions to the server, so that their answers come while the script is loaded. It is a classic script.
"use strict";

(() => {
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const board = stored("board");
  if (board) document.documentElement.dataset.board = board;
})();

(() => {
  const [view, query] = location.hash.replace(/^#\/?/, "").split("?");
  if (view && view !== "explorer") return;
  const given = new URLSearchParams(query);
  const known = ["fen", "play", "at", "side", "sort", "db", "work"];
  // With filters, the explorer asks for itself.
  if ([...given.keys()].some((name) => !known.includes(name))) return;
  const path = (given.get("play") ?? "").split(",").filter(Boolean);
  // The server knows no null moves.
  if (path.includes("0000")) return;
  const at = given.has("at") ? Number(given.get("at")) : path.length;
  const parameters = (more) => {
    const values = { fen: given.get("fen"), play: path.slice(0, at).join(","), ...more, db: given.get("db") };
    return new URLSearchParams(Object.entries(values).filter(([, value]) => value));
  };
  const questions = { moves: {}, position: {}, games: { sort: given.get("sort") ?? "-date", limit: 25 } };
  globalThis.started = new Map(
    Object.entries(questions).map(([route, more]) => {
      const text = parameters(more).toString();
      const url = `/api/1/${route}${text ? `?${text}` : ""}`;
      return [url, fetch(url, { headers: { Accept: "application/json" } })];
    }),
  );
  // Who asks for the answer hears of a failure.
  for (const answer of globalThis.started.values()) answer.catch(() => {});
})();
