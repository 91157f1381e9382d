// The editor of the text.

import { python } from "@codemirror/lang-python";
import { setDiagnostics } from "@codemirror/lint";
import { EditorView, basicSetup } from "codemirror";

export class Editor {
  #view;

  constructor(parent, changed) {
    const listener = EditorView.updateListener.of((update) => update.docChanged && changed());
    const label = EditorView.contentAttributes.of({ "aria-label": "Python text of the machine" });
    this.#view = new EditorView({ parent, extensions: [basicSetup, python(), label, listener] });
    this.#view.scrollDOM.tabIndex = 0;
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  set text(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  mark(line, message) {
    const { doc } = this.#view.state;
    const at = line > 0 && line <= doc.lines ? doc.line(line) : null;
    const found = at && message ? [{ from: at.from, to: at.to, severity: "error", message }] : [];
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }
}
