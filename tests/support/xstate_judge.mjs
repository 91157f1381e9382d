// Runs a machine of XState: each line of input is an event at a phase with what the guards answer, each line of output
// the phase after it and the actions that are due. The first line of input is the machine.
import { createMachine, transition } from "xstate";
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const config = JSON.parse((await lines.next()).value);

const guards = {};
for (const state of Object.values(config.states))
  for (const transitions of Object.values(state.on ?? {}))
    for (const { guard } of transitions)
      if (guard) guards[guard.type] = ({ event }, { when, unless }) =>
        when.every((name) => event.answers[name] === true) && unless.every((name) => event.answers[name] === false);

const machine = createMachine(config).provide({ guards });
for await (const line of lines) {
  const { phase, event, answers } = JSON.parse(line);
  const [next, actions] = transition(machine, machine.resolveState({ value: phase }), { type: event, answers });
  console.log(JSON.stringify([next.value, actions.map((action) => action.type)]));
}
