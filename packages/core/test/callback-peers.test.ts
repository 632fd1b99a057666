import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../src/index.ts';
import { callbackPeers, LocalPeers } from '../src/service.ts';

const REMOTE = { bind: '0.0.0.0', host: '192.0.2.1', machine: '203.0.113.7' };
const settings = (values: Record<string, unknown> = {}) => defaultSettings({ values });

describe('callback peers', () => {
  it('are this machine, if the instances are on it', async () => {
    const peers = await callbackPeers({ bind: '0.0.0.0', host: '192.0.2.1', ofMachine: true }, settings());
    expect(peers).toBeInstanceOf(LocalPeers);
    expect(peers!.has('127.0.0.1')).toBe(true);
    expect(peers!.has('203.0.113.7')).toBe(false);
  });

  it("include the instances' machine, and no third one", async () => {
    const peers = (await callbackPeers(REMOTE, settings()))!;
    for (const own of ['203.0.113.7', '::ffff:203.0.113.7', '127.0.0.1']) expect(peers.has(own), own).toBe(true);
    for (const other of ['203.0.113.8', '192.0.2.1', '8.8.8.8']) expect(peers.has(other), other).toBe(false);
    const named = (await callbackPeers({ ...REMOTE, machine: 'localhost' }, settings()))!;
    expect(named.has('203.0.113.7')).toBe(false);
    const six = (await callbackPeers({ ...REMOTE, machine: '2001:db8::7' }, settings()))!;
    expect([six.has('2001:db8::7'), six.has('2001:db8::8')]).toEqual([true, false]);
  });

  it('are unlimited if emu itself is open to all, and limited if it is bound to this machine', async () => {
    const open = { EMULATOR_ALLOW_REMOTE: true };
    expect(await callbackPeers(REMOTE, settings(open))).toBeUndefined();
    for (const host of ['127.0.0.1', 'localhost', '::1']) {
      const bound = settings({ ...open, EMULATOR_ADDR: { host, port: 4566 } });
      expect((await callbackPeers(REMOTE, bound))?.has('203.0.113.8'), host).toBe(false);
    }
    // Only containers of a network can reach a listener bound to its address.
    expect(await callbackPeers({ bind: '172.18.0.2', host: '172.18.0.2' }, settings())).toBeUndefined();
  });
});
