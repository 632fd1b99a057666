import { join } from 'node:path';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Returns the id of the only pool. */
const poolId = async (client: CognitoIdentityProvider): Promise<string> =>
  (await client.listUserPools({ MaxResults: 1 })).UserPools![0]!.Id!;

// An acknowledged user must exist.
describeKill('Cognito user pools', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const client = new CognitoIdentityProvider(config);
    return {
      prepare: async () => {
        await client.createUserPool({ PoolName: 'work' });
      },
      write: async (piece) => {
        await client.adminCreateUser({
          UserPoolId: await poolId(client),
          Username: `work-${piece}`,
          MessageAction: 'SUPPRESS',
        });
      },
      read: async () => {
        const UserPoolId = await poolId(client);
        const found: number[] = [];
        let PaginationToken: string | undefined;
        do {
          const page = await client.listUsers({ UserPoolId, PaginationToken });
          for (const { Username } of page.Users!) found.push(Number(Username!.slice('work-'.length)));
          ({ PaginationToken } = page);
        } while (PaginationToken);
        return found;
      },
      destroy: () => client.destroy(),
    };
  },
});
