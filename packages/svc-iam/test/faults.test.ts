import { join } from 'node:path';
import { IAM } from '@aws-sdk/client-iam';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

describeKill('IAM', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const iam = new IAM(config);
    return {
      prepare: async () => {
        await iam.listUsers({});
      },
      // Changes besides additions, so that journals are compacted into snapshots.
      write: async (piece) => {
        const UserName = `piece-${piece}`;
        await iam.createUser({ UserName });
        for (const Value of ['a', 'b']) await iam.tagUser({ UserName, Tags: [{ Key: 'state', Value }] });
      },
      read: async () => {
        const found: number[] = [];
        let Marker: string | undefined;
        do {
          const page = await iam.listUsers({ Marker, MaxItems: 1000 });
          found.push(...page.Users!.map(({ UserName }) => Number(UserName!.slice('piece-'.length))));
          Marker = page.Marker;
        } while (Marker !== undefined);
        return found;
      },
      destroy: () => iam.destroy(),
    };
  },
});
