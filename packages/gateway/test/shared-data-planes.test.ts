import { type DataPlaneRequest, type DataPlaneResponse, definePlugin, type ServiceManifest } from '@emu/core/service';
import { expect, it } from 'vitest';
import { createTestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { request, textOf } from './requests.ts';

const said = (status: number, body: string): DataPlaneResponse => ({ status, headers: {}, body });

/** Makes a service that serves one id. */
const ownerOf = (name: string, id: string, unserved?: string): ServiceManifest => {
  const plugin = definePlugin({
    ...(notesPlugin as object as Parameters<typeof definePlugin>[0]),
    operations: [notesPlugin.operations],
    name,
    serve: ({ host }: DataPlaneRequest) => (host?.prefix === id ? said(200, `${name} ${host.region}`) : undefined),
    ...(unserved !== undefined && { unserved: () => said(403, unserved) }),
  });
  return {
    name,
    signingNames: [name],
    hostNames: [name],
    dataHostNames: ['things'],
    claims: (_method, _path, host) => host.includes('.things.'),
    load: async () => plugin,
  };
};

it('the owner of the resource serves a request that several services claim', async () => {
  const manifests = [ownerOf('first', 'a1'), ownerOf('second', 'b2', 'Forbidden')];
  await using emulator = await createTestEmulator({ manifests });
  const get = async (host: string) => {
    const answer = await emulator.gateway.handle(request({ method: 'GET', target: '/x', headers: { host } }));
    return [answer.status, await textOf(answer)];
  };
  expect(await get('a1.things.eu-west-1.amazonaws.com')).toEqual([200, 'first eu-west-1']);
  expect(await get('b2.things.us-east-2.localhost:4566')).toEqual([200, 'second us-east-2']);
  expect(await get('c3.things.eu-west-1.amazonaws.com')).toEqual([403, 'Forbidden']);
});
