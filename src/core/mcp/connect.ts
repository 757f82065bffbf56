// Opens the connection that a server's entry asks for. The SDK comes with the first one and not with the extension.
import type { Host } from '../host';
import type { Connect } from './connection';
import type { StartProgram } from '../program';

export function connector(host: Pick<Host, 'web' | 'platform' | 'ids'>, start: StartProgram): Connect {
  return async ({ endpoint }, options) => {
    const { connectHttp, connectStdio } = await import('./sdk');
    if (endpoint.kind === 'http') return connectHttp(endpoint, host.web.fetch, options);
    const { command, args, env } = endpoint;
    // At home, not in the workspace: there `npx` and its like would run what a repository brings along.
    const spec = { id: host.ids.next('mcp'), command, args, env, cwd: host.platform.homeDir };
    return connectStdio({ start, spec }, options);
  };
}
