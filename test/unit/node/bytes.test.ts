// An edit on disk changes the bytes that it is about and no other, whatever the file is.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BYTE_CASES, checkBytes } from '../../support/byteCases';
import { withTools } from '../../support/toolTest';

describe('R33: bytes outside an edit, on disk', () => {
  for (const each of BYTE_CASES) {
    if (each.encoding !== undefined || each.open) continue;
    it(each.what, () =>
      withTools({}, async (tools) => {
        const folder = join(tools.root, 'case');
        await mkdir(folder);
        await checkBytes(each, { tools, folder });
      }),
    );
  }
});
