import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { callbackOf } from '../src/docker/callback.ts';
import type { Engine } from '../src/docker/engine.ts';

/** An address of this machine that other machines may know; the loopback one where it has no other. */
const own =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

const engine = (parts: Partial<Engine>, config: object[] = []): Engine =>
  ({
    endpoint: { source: 'DOCKER_HOST', socketPath: '/none' },
    podman: false,
    desktop: false,
    rootless: false,
    local: true,
    docker: { getNetwork: () => ({ inspect: async () => ({ IPAM: { Config: config } }) }) },
    ...parts,
  }) as unknown as Engine;

it('by the bridge of an engine on this machine nobody is answered but what is behind bridges', async () => {
  const known = [{ Subnet: '127.0.0.0/8', Gateway: own }];
  expect(await callbackOf(engine({}, known))).toEqual({ bind: own, host: own, ofMachine: true });
  // Nothing tells that this network is a bridge's.
  const unknown = [{ Subnet: '203.0.113.0/24', Gateway: own }];
  expect(await callbackOf(engine({}, unknown))).toEqual({ bind: own, host: own });
  expect(await callbackOf(engine({ podman: true }))).toMatchObject({ bind: '0.0.0.0', ofMachine: true });
});

it('an engine on another machine is named, so that no third one is answered', async () => {
  const endpoint = { source: 'DOCKER_HOST', protocol: 'http' as const, host: own, port: 9 };
  expect(await callbackOf(engine({ local: false, endpoint }))).toEqual({
    bind: '0.0.0.0',
    host: expect.any(String),
    machine: own,
  });
});
