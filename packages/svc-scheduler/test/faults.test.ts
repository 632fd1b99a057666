import { join } from 'node:path';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

// An acknowledged schedule must exist. None of them is due during the test.
describeKill('EventBridge Scheduler', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const client = new Scheduler(config);
    return {
      prepare: async () => {},
      write: async (piece) => {
        await client.createSchedule({
          Name: `work-${piece}`,
          ScheduleExpression: 'at(2100-01-01T00:00:00)',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: { Arn: 'arn:aws:sqs:us-east-1:000000000000:q', RoleArn: 'arn:aws:iam::000000000000:role/r' },
        });
      },
      read: async () => {
        const found: number[] = [];
        let NextToken: string | undefined;
        do {
          const page = await client.listSchedules({ NextToken });
          for (const { Name } of page.Schedules!) found.push(Number(Name!.slice('work-'.length)));
          ({ NextToken } = page);
        } while (NextToken);
        return found;
      },
      destroy: () => client.destroy(),
    };
  },
});
