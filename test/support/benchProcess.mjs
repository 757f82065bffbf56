// One bench in a process of its own: runs the built file it is given and hands its figures to the parent.
import { pathToFileURL } from 'node:url';

const { run } = await import(pathToFileURL(process.argv[2] ?? '').href);
const figures = await run();
await new Promise((sent) => process.send?.(figures, sent));
// Keep-alive sockets and the like need not be waited for.
process.exit(0);
