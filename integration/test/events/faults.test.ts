import { join } from 'node:path';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-events/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';

// An acknowledged rule must exist and run.
describeKill('EventBridge', {
  manifests: [manifest, sqs],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const events = new EventBridge(config);
    return {
      prepare: async () => {},
      write: async (piece) => {
        await events.putRule({ Name: `rule-${piece}`, EventPattern: `{"source":["source-${piece}"]}` });
      },
      read: async () => {
        const found: number[] = [];
        let NextToken: string | undefined;
        do {
          const page = await events.listRules({ NamePrefix: 'rule-', NextToken });
          for (const { Name, EventPattern } of page.Rules!) {
            const piece = Number(Name!.slice('rule-'.length));
            if (EventPattern === `{"source":["source-${piece}"]}`) found.push(piece);
          }
          ({ NextToken } = page);
        } while (NextToken);
        return found;
      },
      destroy: () => {
        events.destroy();
      },
    };
  },
});
