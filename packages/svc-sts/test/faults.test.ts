import { join } from 'node:path';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { credentialsIn } from './emulator.ts';

/** Issued credentials, known to their clients only. */
const sessions: ReturnType<typeof credentialsIn>[] = [];

// Issued credentials must still belong to their session.
describeKill('STS', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const sts = new STSClient(config);
    return {
      prepare: async () => {},
      write: async (piece) => {
        const role = { RoleArn: 'arn:aws:iam::123456789012:role/work', RoleSessionName: `piece-${piece}` };
        sessions.push(credentialsIn(await sts.send(new AssumeRoleCommand(role))));
      },
      read: async () => {
        const found: number[] = [];
        for (const credentials of sessions.splice(0)) {
          const session = new STSClient({ ...config, credentials });
          const { Arn } = await session.send(new GetCallerIdentityCommand({}));
          found.push(Number(/piece-(\d+)$/.exec(Arn!)![1]));
          session.destroy();
        }
        return found;
      },
      destroy: () => sts.destroy(),
    };
  },
});
