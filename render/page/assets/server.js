// Requests to the server of the page; an error is thrown with the message of the server.

export const GONE = 404;
export const SILENT = "the server does not answer: is it still running?";

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Delete a game that is not played any more; the server may have removed it already.
export function end(id) {
  fetch(`games/${encodeURIComponent(id)}`, { method: "DELETE" }).catch(() => {});
}

export async function request(path, body) {
  let response;
  try {
    response = await fetch(path, body === undefined ? {} : {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, SILENT);
  }
  const content = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Refusal(response.status, content.error);
  return content;
}
