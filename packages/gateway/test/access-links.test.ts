import { expect, it } from 'vitest';
import { isChangeByLink } from '../src/access/links.ts';
import { createTestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

it('a GET with its operation in the query changes something only if it is signed', async () => {
  await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
  const get = async (query: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await emulator.gateway.handle(
      request({ method, target: `/?Version=2020-02-02&${query}`, headers }),
    );
    return { status: response.status, text: await textOf(response) };
  };
  const put = 'Action=PutNote&Name=a&Text=hello';
  const presigned = `${put}&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20240101%2Fus-east-1%2Fnotes%2Faws4_request&X-Amz-Signature=0`;
  for (const answer of [await get(put), await get(presigned), await get(put, {}, 'HEAD')]) {
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('<Code>MissingAuthenticationToken</Code>');
  }
  expect((await get('Action=GetNote&Name=a')).status).toBe(404);
  const { authorization } = call('PutNote') as { authorization: string };
  expect((await get(put, { authorization })).status).toBe(200);
  expect((await get('Action=GetNote&Name=a')).text).toContain('hello');
});

it.each([
  ['ListQueues', false],
  ['GetCallerIdentity', false],
  ['DescribeInstances', false],
  ['CreateQueue', true],
  ['ReceiveMessage', true],
  ['Getaway', true],
  ['GetSessionToken', true],
  ['GetFederationToken', true],
])('a link to %s is a change: %s', (name, changes) => {
  const wire = { method: 'GET', path: '/', query: '', headers: {}, body: new Uint8Array(0) };
  const protocol = { protocol: 'awsQuery' } as Parameters<typeof isChangeByLink>[1];
  const http = { method: 'POST', uri: '/' };
  expect(isChangeByLink(wire, protocol, { name, operation: { http } })).toBe(changes);
  expect(isChangeByLink(wire, protocol, { name, operation: { http, auth: 'none' } })).toBe(false);
});
