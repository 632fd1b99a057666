import { type Benchmark, compareLoad, withServers } from './compare.ts';
import type { LoadRequest, Server } from './processes.ts';
import { startEmu } from './processes.ts';
import { createQueue, send } from './requests.ts';

/** What a hot call costs where quotas are enforced: the same request with and without. */
export const quotaCost: Benchmark = (effort) =>
  withServers([startEmu('--enforce-quotas'), startEmu()], async (enforcing, open) => {
    let round = 0;
    const prepare = async (server: Server): Promise<LoadRequest[]> => [
      send(await createQueue(server, `bench-${++round}`)),
    ];
    const figures = await compareLoad(effort, [enforcing!, prepare], [open!, prepare]);
    const name = 'SendMessage with --enforce-quotas beside without';
    return [{ name, unit: 'req/s', target: { atLeast: 0.9 }, ...figures }];
  });
