// Calls of Python in a worker, which can be stopped: then it is replaced by a new one at the next call.

export class Python {
  #worker = null;
  #waiting = new Map();
  #last = 0;

  call(name, args = [], notify = () => {}) {
    this.#worker ??= this.#begin();
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, notify });
      this.#worker.postMessage({ id, call: name, args });
    });
  }

  stop() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Error("stopped"));
    this.#waiting.clear();
  }

  #begin() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, value, error, note } }) => {
      const waiting = this.#waiting.get(id);
      if (!waiting) return;
      if (note !== undefined) return waiting.notify(note);
      this.#waiting.delete(id);
      error === undefined ? waiting.resolve(value) : waiting.reject(new Error(error));
    };
    worker.onerror = (event) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message || "Python could not be started"));
      this.#waiting.clear();
    };
    return worker;
  }
}
