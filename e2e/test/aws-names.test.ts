import { readFileSync } from 'node:fs';
import {
  CloudFormation,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { ControlClient } from '@emu/control-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Emu, startEmu } from '../src/emu.ts';

const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
const MINUTE = 60_000;

let emu: Emu;
let cfn: CloudFormation;
beforeAll(async () => {
  emu = await startEmu({ env: { EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_RECORD_REQUESTS: 'true' } });
  cfn = new CloudFormation(config());
});
afterAll(() => emu?.kill());

const config = () => ({
  endpoint: emu.url,
  region: REGION,
  credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
});

/** Deploys a template of `templates`, or updates its stack. @returns the outputs */
async function deploy(name: string, parameters?: Record<string, string>): Promise<Record<string, string>> {
  const input = {
    StackName: name,
    TemplateBody: readFileSync(new URL(`../templates/${name}.yaml`, import.meta.url), 'utf8'),
    Capabilities: ['CAPABILITY_IAM' as const, 'CAPABILITY_AUTO_EXPAND' as const],
    Parameters: Object.entries(parameters ?? {}).map(([ParameterKey, ParameterValue]) => ({
      ParameterKey,
      ParameterValue,
    })),
  };
  const waiter = { client: cfn, maxWaitTime: 60, minDelay: 1 };
  if (parameters) {
    await cfn.updateStack(input);
    await waitUntilStackUpdateComplete(waiter, { StackName: name });
  } else {
    await cfn.createStack(input);
    await waitUntilStackCreateComplete(waiter, { StackName: name });
  }
  const { Stacks } = await cfn.describeStacks({ StackName: name });
  return Object.fromEntries(Stacks![0]!.Outputs!.map(({ OutputKey, OutputValue }) => [OutputKey!, OutputValue!]));
}

async function destroy(StackName: string): Promise<void> {
  await cfn.deleteStack({ StackName });
  await waitUntilStackDeleteComplete({ client: cfn, maxWaitTime: 60, minDelay: 1 }, { StackName });
}

/** Returns the hosts of AWS to which functions have sent requests. */
async function redirectedHosts(): Promise<string[]> {
  const requests = await new ControlClient(emu.url).requests.list({ limit: 10_000 });
  return [...new Set(requests.flatMap(({ host }) => host ?? []))];
}

/** Opens a WebSocket of an API. */
async function join(apiId: string): Promise<{ send(text: string): void; next(): Promise<string>; leave(): void }> {
  const socket = new WebSocket(`ws://127.0.0.1:${emu.port}/prod`, {
    headers: { host: `${apiId}.execute-api.${REGION}.amazonaws.com` },
  });
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    send: (text) => socket.send(JSON.stringify({ action: 'send', data: text })),
    next: async () => {
      await expect.poll(() => messages.length, { timeout: MINUTE / 2 }).toBeGreaterThan(0);
      return messages.shift()!;
    },
    leave: () => socket.close(),
  };
}

test('a chat posts to the connections of its own API at its host of AWS', { timeout: 3 * MINUTE }, async () => {
  const { ApiId, TableName } = await deploy('chat');
  const [one, other] = [await join(ApiId!), await join(ApiId!)];
  one.send('hello');
  expect([await one.next(), await other.next()]).toEqual(['hello', 'hello']);
  await deploy('chat', { Prefix: '> ' });
  other.send('changed');
  expect([await one.next(), await other.next()]).toEqual(['> changed', '> changed']);
  one.leave();
  const db = new DynamoDB(config());
  await expect.poll(async () => (await db.scan({ TableName })).Count, { timeout: MINUTE / 2 }).toBe(1);
  other.leave();
  expect(await redirectedHosts()).toContain(`${ApiId}.execute-api.${REGION}.amazonaws.com`);
  await destroy('chat');
});

test('an authorizer fetches the keys of a user pool from its own address', { timeout: 3 * MINUTE }, async () => {
  const { ApiId, UserPoolId, ClientId } = await deploy('user-pool-authorizer');
  const cognito = new CognitoIdentityProvider(config());
  const user = { UserPoolId, Username: 'ann' };
  await cognito.adminCreateUser({ ...user, MessageAction: 'SUPPRESS' });
  await cognito.adminSetUserPassword({ ...user, Password: 'Pass-word-1', Permanent: true });
  const { AuthenticationResult } = await cognito.adminInitiateAuth({
    UserPoolId,
    ClientId,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'ann', PASSWORD: 'Pass-word-1' },
  });
  const token = AuthenticationResult!.AccessToken!;
  const greet = async (authorization: string): Promise<string> => {
    const response = await fetch(`${emu.url}/_aws/execute-api/${ApiId}/prod/greeting`, { headers: { authorization } });
    return `${response.status} ${await response.text()}`;
  };
  expect(await greet(`Bearer ${token}`)).toBe('200 hello ann');
  const [head, payload] = token.split('.');
  expect(await greet(`Bearer ${head}.${payload}.AAAA`)).toMatch(/^401 /);
  await deploy('user-pool-authorizer', { Greeting: 'good morning' });
  expect(await greet(`Bearer ${token}`)).toBe('200 good morning ann');
  expect(await redirectedHosts()).toContain(`cognito-idp.${REGION}.amazonaws.com`);
  await destroy('user-pool-authorizer');
});
