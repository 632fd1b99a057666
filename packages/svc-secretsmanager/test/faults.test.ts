import { join } from 'node:path';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

// An acknowledged value must exist.
describeKill('Secrets Manager', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const secrets = new SecretsManager(config);
    const names = (piece: number): string => `work/${piece}`;
    return {
      prepare: async () => {},
      write: async (piece) => {
        await secrets.createSecret({ Name: names(piece), SecretString: String(piece) });
      },
      read: async () => {
        const found: number[] = [];
        let NextToken: string | undefined;
        do {
          const page = await secrets.listSecrets({ NextToken });
          for (const { Name } of page.SecretList!)
            found.push(Number((await secrets.getSecretValue({ SecretId: Name })).SecretString));
          ({ NextToken } = page);
        } while (NextToken);
        return found;
      },
      destroy: () => secrets.destroy(),
    };
  },
});
