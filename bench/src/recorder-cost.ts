import { type Benchmark, compareLoad, withServers } from './compare.ts';
import type { LoadRequest, Server } from './processes.ts';
import { startEmu } from './processes.ts';
import { createQueue, send } from './requests.ts';

/** What a hot call costs while requests are recorded: the same request with and without. */
export const recorderCost: Benchmark = (effort) =>
  withServers([startEmu('--record-requests'), startEmu()], async (recording, silent) => {
    let round = 0;
    const prepare = async (server: Server): Promise<LoadRequest[]> => [
      send(await createQueue(server, `bench-${++round}`)),
    ];
    const figures = await compareLoad(effort, [recording!, prepare], [silent!, prepare]);
    const name = 'SendMessage with --record-requests beside without';
    return [{ name, unit: 'req/s', target: { atLeast: 0.9 }, ...figures }];
  });
