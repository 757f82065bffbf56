// tasks: what goes on in the background and what has ended there, by state.
import { checkTool, type ToolCase } from '../../support/toolTest';

const before: ToolCase['before'] = [
  ['bash', { command: 'echo up; sleep 60', description: 'Serve', run_in_background: true }],
  ['bash', { command: 'sleep 1.3; echo bye; exit 3', description: 'Wait', run_in_background: true }],
  ['output', { id: 'c2', wait: 10 }],
];
const SERVES = /^c1: Serve, running for \d+ s, last line: up$/;
const ENDED = /^c2: Wait, ended after \d+ s \(exit code 3\), last line: bye$/;

checkTool('tasks', {}, [
  { what: 'X06: says where there are none', input: {}, text: 'There are none.' },
  { what: 'X06: lists those that go on', before, input: { state: 'running' }, text: SERVES },
  { what: 'X06: lists those that have ended', before, input: { state: 'ended' }, text: ENDED },
  { what: 'X06: lists all, what goes on last', before, input: {}, text: /^c2: Wait, .*\nc1: Serve, .*$/ },
  { what: 'X06: says where none is so', input: { state: 'ended' }, text: 'None is ended.' },
]);
