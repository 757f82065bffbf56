// Around a run that changes files: what the language services find wrong after it and did not before [O29].
import { tellable } from '../access/hidden';
import { newProblems, type EditedText } from '../edit/newProblems';
import { pathInRoots } from '../files/naming';
import { isProblem, type Host, type Path } from '../host';
import type { Target } from '../permission/types';
import type { Problem } from '../problems';
import type { ToolStatus } from '../../common/events';
import type { RunOf } from './run';
import type { TurnTools } from './turnTools';

/** Undefined where the run changes no file, or where nobody wants to know. */
export async function watchProblems(
  { tool, input }: Pick<RunOf, 'tool' | 'input'>,
  targets: readonly Target[],
  { host, signal }: Pick<TurnTools, 'host' | 'signal'>,
): Promise<((status: ToolStatus) => Promise<readonly string[]>) | undefined> {
  const { problems, settings } = host;
  const paths = targets.flatMap((target) => (target.op === 'write' || target.op === 'delete' ? [target.path] : []));
  if (!problems || paths.length === 0 || tool.readOnly(input) || !settings.get('edits.problems')) return undefined;
  const [watch, ...befores] = await Promise.all([problems.watch(paths), ...paths.map((path) => textOf(path, host))]);
  return async (status) => {
    if (status !== 'done') {
      watch.dispose();
      return [];
    }
    const { problems: after, looked } = await watch.settled(signal);
    const edited = await Promise.all(
      paths.map(async (path, at): Promise<EditedText> => {
        const before = befores[at] ?? '';
        return { path, before, after: looked.has(path) ? await textOf(path, host) : before };
      }),
    );
    return tell(await visible(newProblems(watch.before, after, edited), host), host);
  };
}

async function textOf(path: Path, { files, settings }: Host): Promise<string> {
  const file = await files.text(path, settings.get('files.maxEditBytes'));
  return isProblem(file) ? '' : file.text;
}

/** Those of files that are hidden from the agent are nobody’s news. */
async function visible(problems: readonly Problem[], host: Host): Promise<readonly Problem[]> {
  const named = new Set(
    await tellable(
      problems.map(({ path }) => path),
      host,
    ),
  );
  return problems.filter(({ path }) => named.has(path));
}

const TOLD_PROBLEMS = 10;
const MESSAGE_MAX_CHARS = 300;

function tell(problems: readonly Problem[], host: Host): readonly string[] {
  if (problems.length === 0) return [];
  const more = problems.length - TOLD_PROBLEMS;
  return [
    'New problems since this change:',
    ...problems.slice(0, TOLD_PROBLEMS).map((problem) => lineOf(problem, host)),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
}

function lineOf({ path, line, severity, message, code, source }: Problem, host: Host): string {
  const text = message.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_MAX_CHARS);
  const by = [source, code].filter((part) => part !== undefined && part !== '').join(' ');
  return `${pathInRoots(path, host)}:${line + 1} ${severity}: ${text}${by === '' ? '' : ` (${by})`}`;
}
