// What is looked at before a call may run: its input, and whether it is allowed.
import type { JsonObject } from '../../../src/common/json';
import type { PermissionRequest } from '../../../src/core/permission/permissions';
import { openAsk } from '../../../src/core/tool/ask';
import { compileSchema } from '../../../src/core/tool/schema';
import { edit } from '../../../src/tools/edit';
import { withTurn } from '../../unit/core/tool/turn';
import { figure, median, timeEach, timePerRun, type Figure } from '../measure';

const RUNS = 20_000;

export async function measureChecks(): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withTurn([edit], { mode: 'acceptEdits' }, async ({ turn, root }) => {
    await turn.inputs.load();
    const input = { file_path: `${root}/src/a.ts`, old_string: 'const a = 1', new_string: 'const a = 2' };
    const call = { id: 'toolu_1', name: edit.name, input };
    const slip = { ...call, input: { ...input, replace_all: 'true' } };
    const check = compileSchema(edit.schema as unknown as JsonObject, () => {});
    const bare = { name: 'schema alone', value: timePerRun(RUNS, () => check(input)) };
    figures.push(
      figure(
        'coerce and validate',
        'ms',
        timePerRun(RUNS, () => turn.inputs.parse(edit, { ...call })),
        bare,
      ),
      figure(
        'coerce and validate, one slip',
        'ms',
        timePerRun(RUNS, () => turn.inputs.parse(edit, { ...slip })),
        bare,
      ),
    );

    const request: PermissionRequest = {
      ...{ tool: edit, input, call: 'toolu_1', agent: 'main', title: 'Edit', signal: turn.signal },
      mode: 'acceptEdits',
      targets: [{ op: 'write', path: input.file_path }],
      ask: (ask, signal) => openAsk(ask, signal, turn),
    };
    const decided = await timeEach(RUNS / 4, 500, () => turn.permissions.decide(request));
    const resolved = await timeEach(RUNS / 4, 500, () => turn.host.files.realPath(input.file_path));
    figures.push(
      figure('permission of an edit, p50', 'ms', median(decided), {
        name: 'real path of the file',
        value: median(resolved),
      }),
    );
  });
  return figures;
}
