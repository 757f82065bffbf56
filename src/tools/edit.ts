// Tool: replaces text in a file, one place or several, all or nothing.
import { refuseBroken, writeTarget } from '../core/config/guard';
import { isExact, planEdit, planRewrite, refuseSenseless, type EditRequest, type PlannedEdit } from '../core/edit/plan';
import { reportEdit } from '../core/edit/report';
import { currentText } from '../core/files/current';
import { missingFile, pathForDisplay } from '../core/files/naming';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import type { FileChange, TextFile } from '../core/host';
import { changedText } from '../core/tool/changed';
import { defineTool, type Amended, type Changeable } from '../core/tool/tool';

interface Input {
  readonly file_path: string;
  readonly old_string?: string;
  readonly new_string?: string;
  readonly replace_all?: boolean;
  readonly edits?: readonly {
    readonly old_string: string;
    readonly new_string: string;
    readonly replace_all?: boolean;
  }[];
}

interface Plan {
  readonly resolved: ResolvedPath;
  readonly change: FileChange;
  readonly planned: PlannedEdit;
  /** The file is not the text that the model read, but the places are. */
  readonly hasChangedElsewhere: boolean;
}

const CHANGED = 'has changed since it was read.';
const DROPPED = 'was read so long ago that its text has left the conversation.';

export const edit = defineTool({
  name: 'edit',
  kind: 'edit',
  description:
    'Replaces old_string by new_string in a file that was read. old_string must be copied exactly from the file, without line numbers, and name one place only; add lines around it until it does. For several changes in one file send edits instead: they are located in the text before the call and made all or none.',
  guide: 'edit changes parts of files; several edits of one file go into one call with edits.',
  schema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Path of the file', minLength: 1 },
      old_string: { type: 'string', description: 'The text to replace' },
      new_string: { type: 'string', description: 'What stands there afterwards; empty deletes' },
      replace_all: { type: 'boolean', description: 'Replace every occurrence' },
      edits: {
        type: 'array',
        description: 'Several replacements in this file',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            old_string: { type: 'string', description: 'As above' },
            new_string: { type: 'string', description: 'As above' },
            replace_all: { type: 'boolean', description: 'As above' },
          },
          required: ['old_string', 'new_string'],
          additionalProperties: false,
        },
      },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
  aliases: [
    ...['edit_file', 'FileEditTool', 'MultiEdit', 'str_replace', 'str_replace_editor', 'str_replace_based_edit_tool'],
    ...['replace', 'replace_string_in_file', 'search_replace', 'replace_in_file'],
  ],
  basic: true,
  searchHint: 'change a part of a file',
  title: ({ file_path, edits }) => `Edit ${file_path}${edits && edits.length > 1 ? ` in ${edits.length} places` : ''}`,

  async prepare(input, ctx) {
    const requests = requestsOf(input);
    if ('objection' in requests) return requests;
    const senseless = refuseSenseless(requests);
    if (senseless) return { objection: senseless.reason };
    const resolved = await resolvePath(input.file_path, ctx);
    if ('objection' in resolved) return resolved;
    const { path, real, shown } = resolved;
    const [stat, current] = await Promise.all([ctx.host.files.stat(path), currentText(resolved, ctx)]);
    if (!stat) return withAdvice(await missingFile(resolved, ctx), 'To make a new file use write.');
    if (stat.kind === 'directory') return { objection: `${shown} is a folder. Name a file in it.` };
    if ('objection' in current) return current;
    const { file, isKnown, isInContext } = current;
    const planned = planEdit(pathForDisplay(resolved), file.text, requests);
    const doubt = !isKnown ? CHANGED : isInContext ? '' : DROPPED;
    const advice = doubt === '' ? '' : `${shown} ${doubt} Read it again.`;
    if (!planned.ok) return { objection: advice === '' ? planned.reason : `${advice}\n${planned.reason}` };
    // What is exactly there the model knows, however long ago it saw it.
    const isBlocked = !isKnown && ctx.host.settings.get('files.changedSince') === 'block';
    if (isBlocked || (advice !== '' && !isExact(planned))) return { objection: advice };

    const texts = { before: file.text, after: planned.text };
    const broken = await refuseBroken(resolved, texts, ctx.host);
    if (broken !== undefined) return { objection: broken };
    const change = { kind: 'edit', path, real, baseVersion: file.version, splices: planned.splices } as const;
    const preview = { kind: 'diff', files: [planned.diff] } as const;
    const plan: Plan = { resolved, change, planned, hasChangedElsewhere: !isKnown };
    const proposal = proposalOf(input.file_path, file, plan);
    return { targets: [await writeTarget(resolved, texts)], preview, plan, proposal };
  },

  async run({ resolved, change, planned, hasChangedElsewhere }: Plan, ctx) {
    const { host, reads, call } = ctx;
    const outcome = await host.edits.apply({ label: `Edit ${resolved.shown}`, call, changes: [change] });
    if (!outcome.ok) return { text: outcome.reason, failed: true };
    const [edited] = outcome.files;
    if (!edited) throw new Error('An edit was applied to no file');
    const { diff, text: plannedText } = planned;
    const report = reportEdit(resolved.real, resolved.shown, { diff, plannedText, edited }, reads);
    if (!hasChangedElsewhere) return report;
    // Its other parts are unknown, so the next edit that is not exact has to wait for a read.
    reads.set(resolved.real, { version: 'changed elsewhere', calls: [], inContext: true });
    return {
      ...report,
      summary: 'The file had changed elsewhere since it was read. Read it again before you rely on the rest.',
    };
  },
});

/** Planned over the same text, so that what has changed since is refused. */
function proposalOf(file_path: string, { text: before, version }: TextFile, plan: Plan): Changeable<Plan> {
  const { resolved, planned } = plan;
  const path = pathForDisplay(resolved);
  const amend = async (text: string): Promise<Amended<Plan>> => {
    const rewritten = planRewrite(path, before, text);
    if (!rewritten.ok) return { objection: `They left ${resolved.shown} as it is.` };
    const { splices, diff } = rewritten;
    const change = { ...plan.change, kind: 'edit', baseVersion: version, splices } as const;
    return {
      targets: [await writeTarget(resolved, { before, after: rewritten.text })],
      preview: { kind: 'diff', files: [diff] },
      plan: { ...plan, change, planned: rewritten },
      input: { file_path, old_string: before, new_string: rewritten.text },
      remark: changedText(path, planned.text, rewritten.text),
    };
  };
  return { kind: 'file', path, text: planned.text, amend };
}

function requestsOf(input: Input): readonly EditRequest[] | { readonly objection: string } {
  const { old_string, new_string, replace_all, edits } = input;
  const isSingle = old_string !== undefined || new_string !== undefined;
  if (edits && isSingle) {
    return { objection: 'Send either old_string and new_string, or edits, not both. Nothing was changed.' };
  }
  if (edits) return edits.map((each) => toRequest(each.old_string, each.new_string, each.replace_all));
  if (old_string === undefined || new_string === undefined) {
    return { objection: 'edit needs old_string and new_string, or edits. An empty new_string deletes.' };
  }
  return [toRequest(old_string, new_string, replace_all)];
}

function toRequest(oldString: string, newString: string, replaceAll = false): EditRequest {
  return { oldString, newString, replaceAll };
}

function withAdvice({ objection }: { readonly objection: string }, advice: string): { readonly objection: string } {
  return { objection: `${objection} ${advice}` };
}
