import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { callbackOf } from '../src/docker/callback.ts';
import type { Engine } from '../src/docker/engine.ts';

/** Address of this machine that other machines may use; the loopback address without one. */
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

it("a local engine's bridge admits only peers behind bridges", async () => {
  const known = [{ Subnet: '127.0.0.0/8', Gateway: own }];
  expect(await callbackOf(engine({}, known))).toEqual({ bind: own, host: own, ofMachine: true });
  // This network cannot be recognized as a bridge.
  const unknown = [{ Subnet: '203.0.113.0/24', Gateway: own }];
  expect(await callbackOf(engine({}, unknown))).toEqual({ bind: own, host: own });
  expect(await callbackOf(engine({ podman: true }))).toMatchObject({ bind: '0.0.0.0', ofMachine: true });
});

it('the address of a remote engine excludes other machines', async () => {
  const endpoint = { source: 'DOCKER_HOST', protocol: 'http' as const, host: own, port: 9 };
  expect(await callbackOf(engine({ local: false, endpoint }))).toEqual({
    bind: '0.0.0.0',
    host: expect.any(String),
    machine: own,
  });
});
