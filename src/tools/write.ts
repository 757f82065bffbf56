// Tool: a whole file, new or in place of the text that is there.
import type { FileDiff } from '../common/display';
import { refuseBroken, writeTarget } from '../core/config/guard';
import { diffTexts } from '../core/edit/patch';
import { planRewrite } from '../core/edit/plan';
import { reportEdit } from '../core/edit/report';
import { currentText } from '../core/files/current';
import { faultOf, pathForDisplay } from '../core/files/naming';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import type { FileChange } from '../core/host';
import { changedText } from '../core/tool/changed';
import { defineTool, type Amended, type Changeable, type PreparedCall, type ToolContext } from '../core/tool/tool';

interface WritePlan {
  readonly resolved: ResolvedPath;
  readonly change: FileChange;
  readonly diff: FileDiff;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly text: string;
}

export const write = defineTool({
  name: 'write',
  kind: 'edit',
  description:
    'Writes a whole file; missing folders are made. A file that exists must have been read whole first. To change a part of a file use edit.',
  schema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Path of the file', minLength: 1 },
      content: { type: 'string', description: 'The whole text; empty makes an empty file' },
    },
    required: ['file_path', 'content'],
    additionalProperties: false,
  },
  aliases: ['write_file', 'write_to_file', 'create_file', 'create', 'FileWriteTool', 'save_file'],
  searchHint: 'create a file or replace its content',
  title: ({ file_path }) => `Write ${file_path}`,

  async prepare({ file_path, content }, ctx) {
    const resolved = await resolvePath(file_path, ctx);
    if ('objection' in resolved) return resolved;
    const stat = await ctx.host.files.stat(resolved.path);
    if (stat?.kind === 'directory') return { objection: `${resolved.shown} is a folder. Name a file in it.` };
    const fault = stat ? undefined : await faultOf(resolved, ctx);
    if (fault !== undefined) return { objection: fault };
    const plan = stat ? await planOverwrite(resolved, content, ctx) : planNew(resolved, content);
    if ('objection' in plan) return plan;
    const planned = { before: plan.before, after: plan.text };
    const broken = await refuseBroken(resolved, planned, ctx.host);
    if (broken !== undefined) return { objection: broken };
    const prepared = await preparedOf(plan);
    return { ...prepared, proposal: proposalOf({ file_path, content }, plan) };
  },

  async run({ resolved, change, diff, text }, ctx) {
    const { host, reads, call } = ctx;
    const outcome = await host.edits.apply({ label: `Write ${resolved.shown}`, call, changes: [change] });
    if (!outcome.ok) return { text: outcome.reason, failed: true };
    const [edited] = outcome.files;
    if (!edited) throw new Error('An edit was applied to no file');
    // What was read before is gone: the model knows the text because it wrote it.
    reads.forget(resolved.real);
    return reportEdit(resolved.real, resolved.shown, { diff, plannedText: text, edited }, reads);
  },
});

async function preparedOf(plan: WritePlan): Promise<PreparedCall<WritePlan>> {
  const { resolved, before, text, diff } = plan;
  const target = await writeTarget(resolved, { before, after: text });
  return { targets: [target], preview: { kind: 'diff', files: [diff] }, plan };
}

/** Over the text that was read, so that what has changed since is refused like any other overwriting. */
function proposalOf(
  input: { readonly file_path: string; readonly content: string },
  plan: WritePlan,
): Changeable<WritePlan> {
  const { resolved, before } = plan;
  const path = pathForDisplay(resolved);
  const amend = async (text: string): Promise<Amended<WritePlan>> => {
    const changed = before === undefined ? planNew(resolved, text) : planOver(resolved, before, versionOf(plan), text);
    if ('objection' in changed) return changed;
    const remark = changedText(path, plan.text, changed.text);
    return { ...(await preparedOf(changed)), input: { ...input, content: text }, remark };
  };
  return { kind: 'file', path, text: plan.text, amend };
}

function versionOf({ change }: WritePlan): string {
  if (change.kind !== 'edit') throw new Error('A new file has no version yet');
  return change.baseVersion;
}

function planNew(resolved: ResolvedPath, content: string): WritePlan {
  const { path, real } = resolved;
  const text = content.replace(/^\ufeff/, '');
  const diff = diffTexts('', text, { path: pathForDisplay(resolved), change: 'created' });
  return { resolved, change: { kind: 'create', path, real, text }, diff, before: undefined, text };
}

async function planOverwrite(
  resolved: ResolvedPath,
  content: string,
  ctx: ToolContext,
): Promise<WritePlan | { readonly objection: string }> {
  const { shown } = resolved;
  const current = await currentText(resolved, ctx);
  if ('objection' in current) return current;
  const { file, isKnown, isKnownWhole, isInContext } = current;
  if (!isKnown) return { objection: `${shown} has changed since it was read. Read it again before it is overwritten.` };
  if (!isInContext) {
    return {
      objection: `${shown} was read so long ago that its text has left the conversation. Read it again before it is overwritten.`,
    };
  }
  if (!isKnownWhole) {
    return {
      objection: `Only a part of ${shown} was read (a line that was cut counts as not read). Read the rest before it is overwritten, or change a part of it with edit.`,
    };
  }
  return planOver(resolved, file.text, file.version, content);
}

function planOver(
  resolved: ResolvedPath,
  before: string,
  baseVersion: string,
  content: string,
): WritePlan | { readonly objection: string } {
  const { path, real, shown } = resolved;
  const planned = planRewrite(pathForDisplay(resolved), before, content);
  if (!planned.ok) return { objection: `${shown} has exactly this text already: nothing to write.` };
  const change = { kind: 'edit', path, real, baseVersion, splices: planned.splices } as const;
  return { resolved, change, diff: planned.diff, before, text: planned.text };
}
