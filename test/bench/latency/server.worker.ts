// The scripted model in a thread of its own, so that its work is not part of what is timed. Answers with the time that each next request took to come.
import { parentPort, workerData } from 'node:worker_threads';
import type { Reply } from '../../support/model-server/scenario';
import { startModelServer } from '../../support/model-server/server';

const server = await startModelServer(workerData as Reply[]);
parentPort?.postMessage(server.url);
parentPort?.once('message', () => {
  const requests = server.messageRequests();
  const gaps = requests.slice(1).map(({ arrivedMs }, at) => arrivedMs - (requests[at]?.answeredMs ?? NaN));
  parentPort?.postMessage({ gaps, problems: server.problems() });
  void server.close();
});
