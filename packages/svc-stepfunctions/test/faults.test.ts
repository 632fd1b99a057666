import { join } from 'node:path';
import { SFN } from '@aws-sdk/client-sfn';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { ROLE } from './support.ts';

const definition = JSON.stringify({
  StartAt: 'Before',
  States: {
    Before: { Type: 'Pass', Next: 'Waiting' },
    Waiting: { Type: 'Wait', Seconds: 1, Next: 'After' },
    After: { Type: 'Pass', End: true },
  },
});
const STEPS = [
  'ExecutionStarted',
  ...['Pass', 'Wait', 'Pass'].flatMap((type) => [`${type}StateEntered`, `${type}StateExited`]),
  'ExecutionSucceeded',
].join();

// An acknowledged execution must end, and no step may run twice.
describeKill('Step Functions', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const sfn = new SFN(config);
    let known: string | undefined;
    const machine = async (): Promise<string> => {
      known ??= (await sfn.listStateMachines({})).stateMachines![0]!.stateMachineArn!;
      return known;
    };
    const executions = async () => {
      const found: { executionArn: string; name: string; status: string }[] = [];
      let nextToken: string | undefined;
      do {
        const page = await sfn.listExecutions({ stateMachineArn: await machine(), nextToken });
        found.push(...(page.executions as typeof found));
        ({ nextToken } = page);
      } while (nextToken);
      return found;
    };
    const steps = async (executionArn: string) =>
      (await sfn.getExecutionHistory({ executionArn })).events!.map(({ type }) => type).join();
    return {
      prepare: async () => {
        await sfn.createStateMachine({ name: 'm', definition, roleArn: ROLE });
      },
      write: async (piece) => {
        await sfn.startExecution({ stateMachineArn: await machine(), name: `e-${piece}` });
      },
      read: async () => {
        for (const end = Date.now() + 20_000; Date.now() < end; )
          if ((await executions()).every(({ status }) => status !== 'RUNNING')) break;
        const found: number[] = [];
        for (const { executionArn, name, status } of await executions())
          if (status === 'SUCCEEDED' && (await steps(executionArn)) === STEPS) found.push(Number(name.slice(2)));
        return found;
      },
      destroy: () => sfn.destroy(),
    };
  },
});
