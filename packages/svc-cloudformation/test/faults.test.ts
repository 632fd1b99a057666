import { join } from 'node:path';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

// An acknowledged stack must exist; its creation continues after a restart.
describeKill('CloudFormation', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const client = new CloudFormation(config);
    return {
      prepare: async () => {},
      write: async (piece) => {
        const Resources = { Handle: { Type: 'AWS::CloudFormation::WaitConditionHandle' } };
        await client.createStack({ StackName: `work-${piece}`, TemplateBody: JSON.stringify({ Resources }) });
      },
      read: async () => {
        const found: number[] = [];
        let NextToken: string | undefined;
        do {
          const page = await client.describeStacks({ NextToken });
          for (const { StackName } of page.Stacks!) found.push(Number(StackName!.slice('work-'.length)));
          ({ NextToken } = page);
        } while (NextToken);
        return found;
      },
      destroy: () => client.destroy(),
    };
  },
});
