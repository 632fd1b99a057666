import { join } from 'node:path';
import { SSM } from '@aws-sdk/client-ssm';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

// An acknowledged parameter must have its value.
describeKill('Systems Manager', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const client = new SSM(config);
    return {
      prepare: async () => {},
      write: async (piece) => {
        await client.putParameter({ Name: `/work/${piece}`, Type: 'String', Value: String(piece) });
      },
      read: async () => {
        const found: number[] = [];
        let NextToken: string | undefined;
        do {
          const page = await client.getParametersByPath({ Path: '/work', NextToken });
          for (const { Value } of page.Parameters!) found.push(Number(Value));
          ({ NextToken } = page);
        } while (NextToken);
        return found;
      },
      destroy: () => client.destroy(),
    };
  },
});
