// What the page asks its server for; an error is thrown with the server's own words.

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Tell the server that nobody plays a game on; that it may be gone already does not matter.
export function end(id) {
  fetch(`games/${encodeURIComponent(id)}`, { method: "DELETE" }).catch(() => {});
}

export async function ask(path, body) {
  let answer;
  try {
    answer = await fetch(path, body === undefined ? {} : {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, "the server does not answer: is it still running?");
  }
  const told = await answer.json().catch(() => ({ error: answer.statusText }));
  if (!answer.ok) throw new Refusal(answer.status, told.error);
  return told;
}
