import { type Benchmark, compareLoad, withServers } from './compare.ts';
import type { LoadRequest, Server } from './processes.ts';
import { startEmu } from './processes.ts';
import { createQueue, send } from './requests.ts';

/** Cost of a flag for a hot request: the same request with and without. */
export const flagCost =
  (flag: string): Benchmark =>
  (effort) =>
    withServers([startEmu(flag), startEmu()], async (flagged, plain) => {
      let round = 0;
      const prepare = async (server: Server): Promise<LoadRequest[]> => [
        send(await createQueue(server, `bench-${++round}`)),
      ];
      const figures = await compareLoad(effort, [flagged!, prepare], [plain!, prepare]);
      return [{ name: `SendMessage with ${flag} beside without`, unit: 'req/s', target: { atLeast: 0.9 }, ...figures }];
    });
