import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Lambda } from '@aws-sdk/client-lambda';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [cloudformation, iam, lambda, logs, secretsmanager, sts] });
});
afterAll(() => emulator.close());

const two = [1, 2];

/** Lists by service: make the resource, then list the page after a token by the name or the ARN. */
const LISTS: Record<string, () => Promise<{ page: (byArn: boolean, token?: string) => Promise<Listed> }>> = {
  async DescribeStackEvents() {
    const client = new CloudFormation(emulator.clientConfig());
    const Resources = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`User${n}`, { Type: 'AWS::IAM::User' }]),
    );
    const TemplateBody = JSON.stringify({ Resources });
    const { StackId } = await client.createStack({ StackName: 's', TemplateBody, Capabilities: ['CAPABILITY_IAM'] });
    await expect
      .poll(async () => (await client.describeStacks({ StackName: 's' })).Stacks![0]!.StackStatus)
      .toBe('CREATE_COMPLETE');
    return {
      page: async (byArn, NextToken) => {
        const found = await client.describeStackEvents({ StackName: byArn ? StackId : 's', NextToken });
        return { items: found.StackEvents!.map(({ EventId }) => EventId!), next: found.NextToken };
      },
    };
  },
  async ListVersionsByFunction() {
    const { client, arn } = await functionNamed('versions');
    return {
      page: async (byArn, Marker) => {
        const found = await client.listVersionsByFunction({
          FunctionName: byArn ? arn : 'versions',
          Marker,
          MaxItems: 1,
        });
        return { items: found.Versions!.map(({ Version }) => Version!), next: found.NextMarker };
      },
    };
  },
  async ListAliases() {
    const { client, arn } = await functionNamed('aliases');
    for (const n of two) await client.createAlias({ FunctionName: 'aliases', Name: `a${n}`, FunctionVersion: '1' });
    return {
      page: async (byArn, Marker) => {
        const found = await client.listAliases({ FunctionName: byArn ? arn : 'aliases', Marker, MaxItems: 1 });
        return { items: found.Aliases!.map(({ Name }) => Name!), next: found.NextMarker };
      },
    };
  },
  async DescribeLogStreams() {
    const client = new CloudWatchLogs(emulator.clientConfig());
    await client.createLogGroup({ logGroupName: '/a/b' });
    for (const n of two) await client.createLogStream({ logGroupName: '/a/b', logStreamName: `s${n}` });
    const [group] = (await client.describeLogGroups({ logGroupNamePrefix: '/a/b' })).logGroups!;
    const arn = group!.logGroupArn!;
    return {
      page: async (byArn, nextToken) => {
        const named = byArn ? { logGroupIdentifier: arn } : { logGroupName: '/a/b' };
        const found = await client.describeLogStreams({ ...named, nextToken, limit: 1 });
        return { items: found.logStreams!.map(({ logStreamName }) => logStreamName!), next: found.nextToken };
      },
    };
  },
  async ListSecretVersionIds() {
    const client = new SecretsManager(emulator.clientConfig());
    const { ARN } = await client.createSecret({ Name: 'a/secret', SecretString: '1' });
    await client.putSecretValue({ SecretId: ARN, SecretString: '2' });
    return {
      page: async (byArn, NextToken) => {
        const SecretId = byArn ? ARN : 'a/secret';
        const found = await client.listSecretVersionIds({ SecretId, NextToken, MaxResults: 1 });
        return { items: found.Versions!.map(({ VersionId }) => VersionId!), next: found.NextToken };
      },
    };
  },
};

interface Listed {
  items: string[];
  next: string | undefined;
}

async function functionNamed(FunctionName: string) {
  const client = new Lambda(emulator.clientConfig());
  const Code = { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => 1;' }) };
  const rest = { Role: 'arn:aws:iam::000000000000:role/r', Runtime: 'nodejs20.x', Handler: 'index.handler' } as const;
  const { FunctionArn } = await client.createFunction({ FunctionName, Code, ...rest, Publish: true });
  return { client, arn: FunctionArn!.replace(/:\d+$/, '') };
}

test.each(Object.entries(LISTS))(
  '%s accepts a token obtained by name with the ARN, and the other way round',
  async (_, make) => {
    const { page } = await make();
    for (const byArn of [false, true]) {
      const first = await page(byArn);
      expect(first.next).toBeDefined();
      const second = await page(!byArn, first.next);
      expect(second.items.length).toBeGreaterThan(0);
      expect(second.items.filter((item) => first.items.includes(item))).toEqual([]);
    }
  },
);
