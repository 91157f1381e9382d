// Walks through machines of XState: each line of the input is the JSON text of a machine and an event, each line of the
// output the states from the initial one as long as the event leads to another.
import { createMachine, initialTransition, transition } from "xstate";
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const { machine: config, event } = JSON.parse(JSON.parse(line));
  const machine = createMachine(config);
  const path = [];
  for (let [at] = initialTransition(machine); ; [at] = transition(machine, at, { type: event })) {
    path.push(at.value);
    if (at.status === "done") break;
  }
  console.log(JSON.stringify(path));
}
