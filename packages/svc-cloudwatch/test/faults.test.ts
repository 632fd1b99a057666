import { join } from 'node:path';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

// An acknowledged alarm must exist.
describeKill('CloudWatch', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const client = new CloudWatch(config);
    return {
      prepare: async () => {},
      write: async (piece) => {
        await client.putMetricAlarm({
          AlarmName: `work-${piece}`,
          Namespace: 'work',
          MetricName: 'pieces',
          Statistic: 'Sum',
          Period: 3600,
          EvaluationPeriods: 1,
          Threshold: 1,
          ComparisonOperator: 'GreaterThanThreshold',
        });
      },
      read: async () => {
        const found: number[] = [];
        let NextToken: string | undefined;
        do {
          const page = await client.describeAlarms({ NextToken });
          for (const { AlarmName } of page.MetricAlarms!) found.push(Number(AlarmName!.slice('work-'.length)));
          ({ NextToken } = page);
        } while (NextToken);
        return found;
      },
      destroy: () => client.destroy(),
    };
  },
});
