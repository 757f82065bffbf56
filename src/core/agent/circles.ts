// Acts on a model that goes in circles: it is told first; when it goes on like that, the person decides, and without one the turn ends.
import type { QuestionAsk } from '../../common/asks';
import type { TurnEnd } from '../../common/events';
import type { JsonObject } from '../../common/json';
import { openAsk } from '../tool/ask';
import { resolveCall } from '../tool/resolve';
import type { Tool, ToolCall } from '../tool/tool';
import type { ToolResult } from '../tool/turnTools';
import { judge, remember, seenOf, type Asked, type Finding, type Seen } from './repetition';
import type { Turn } from './turn';

const GO_ON = 'Go on';
const STOP = 'Stop';

interface Circle extends Finding {
  /** The call as people read it. */
  readonly title: string;
}

/** Held state of one turn: a prompt of the person's starts anew. */
export class Circles {
  private window: readonly Seen[] = [];
  private messages = 0;

  constructor(private readonly turn: Turn) {}

  /** After a complete message whose calls have run. Answers how the turn ends; undefined: it goes on. */
  async check(calls: readonly ToolCall[], results: readonly ToolResult[]): Promise<TurnEnd | undefined> {
    const found = this.look(calls, results);
    if (!found) return undefined;
    if (found.verdict === 'stop') return this.decide(found);
    this.tell(wordsForModel(found));
    return undefined;
  }

  private look(calls: readonly ToolCall[], results: readonly ToolResult[]): Circle | undefined {
    this.messages++;
    let worst: Circle | undefined;
    for (const [at, result] of results.entries()) {
      const call = calls[at];
      if (!call) continue;
      const { asked, title } = read(call, this.turn);
      this.window = remember(this.window, seenOf(asked, result, this.messages));
      const finding = judge(this.window);
      if (finding && (worst === undefined || finding.verdict === 'stop')) worst = { ...finding, title };
    }
    return worst;
  }

  private async decide(found: Circle): Promise<TurnEnd | undefined> {
    const { turn } = this;
    const words = wordsForPerson(found);
    if (!turn.tools.asker.hasPerson) {
      turn.emit({ type: 'notice', level: 'warning', text: `${words} Nobody is here to ask, so the turn ends.` });
      return 'repetition';
    }
    const answer = await ask(`${words} Shall it go on?`, turn);
    if (turn.signal.aborted) return 'stopped';
    if (answer === undefined) return 'repetition';
    this.window = [];
    this.tell(`${wordsForModel(found)} The person was asked and ${answer}`);
    return undefined;
  }

  private tell(text: string): void {
    this.turn.emit({ type: 'note/appended', about: 'repetition', text });
  }
}

/** What was asked for, however it was written, and its title. */
function read(made: ToolCall, { tools }: Turn): { readonly asked: Asked; readonly title: string } {
  const resolved = resolveCall(made, tools);
  const { call } = resolved;
  if ('objection' in resolved) {
    const name = resolved.tool?.name ?? call.name;
    return { asked: { tool: name, input: call.malformed?.raw ?? call.input, changes: false }, title: name };
  }
  const { tool, input } = resolved;
  return { asked: { tool: tool.name, input, changes: !isReadOnly(tool, input) }, title: titleOf(tool, input) };
}

/** A tool's bug was told when the call ran. */
function isReadOnly(tool: Tool, input: JsonObject): boolean {
  try {
    return tool.readOnly(input);
  } catch {
    return false;
  }
}

function titleOf(tool: Tool, input: JsonObject): string {
  try {
    return tool.title(input);
  } catch {
    return tool.name;
  }
}

function wordsForModel({ path, count }: Circle): string {
  if (path !== undefined)
    return `You change ${path} back and forth: it came back to a text that it had before ${count} times. Decide on one, or find out what you do not know yet.`;
  return `You have made the same call ${count} times and got the same result each time. It will not change by being repeated: do something else, or say what keeps you from going on.`;
}

function wordsForPerson({ path, count, title }: Circle): string {
  return path === undefined
    ? `The same call gave the same result ${count} times: ${title}.`
    : `${path} was changed back and forth and came back to an earlier text ${count} times.`;
}

/** What the person did, for the model; undefined for Stop. The question has a row of its own, since the calls have ended. */
async function ask(question: string, turn: Turn): Promise<string | undefined> {
  const { ids } = turn.host;
  const call = ids.next('ask');
  const asked: QuestionAsk = {
    kind: 'question',
    id: ids.next('ask'),
    call,
    questions: [
      {
        question,
        header: 'Going in circles',
        options: [
          { label: GO_ON, description: 'It may try further' },
          { label: STOP, description: 'The turn ends here; what was done stays' },
        ],
        multiple: false,
      },
    ],
  };
  turn.emit({ type: 'tool/queued', call, tool: '', kind: 'ask', title: 'Ask whether to go on' });
  const answer = await openAsk(asked, turn.signal, turn.tools);
  const answers = answer.kind === 'question' ? answer.answers : [];
  const [given] = answers;
  const isStop = answer.kind !== 'question' || given?.chosen.includes(STOP) === true;
  // The card shows it where the question was not answered: never a word that the person did not say.
  const words = [...(given?.chosen ?? []), ...(given?.text ? [given.text] : [])].join('; ');
  const done = words === '' ? 'skipped the question.' : `says: ${words}`;
  turn.emit({
    type: 'tool/finished',
    call,
    status: turn.signal.aborted ? 'stopped' : 'done',
    text: words || 'Not answered',
    display: { kind: 'questions', questions: asked.questions, answers },
    wholeChars: 0,
    durationMs: 0,
  });
  return isStop ? undefined : done;
}
