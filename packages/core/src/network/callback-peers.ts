import type { EmulatorSettings } from '../config/settings.ts';
import type { Callback } from '../containers/containers.ts';
import { LocalPeers } from './local-peers.ts';

const LOOPBACK = /^(?:localhost|127\.|\[?::1\]?$)/;

/**
 * Returns the allowed peers of a listener for instances, which gives the same access to the emulator as its own
 * address: this machine and its bridges, and the instances' machine if that is another one.
 * @returns undefined to allow everybody: the emulator is open to all, or the listener's address is reachable by
 * instances only
 */
export async function callbackPeers(
  { ofMachine, machine }: Callback,
  { values }: EmulatorSettings,
): Promise<LocalPeers | undefined> {
  if (ofMachine) return new LocalPeers();
  const isOpen = values.EMULATOR_ALLOW_REMOTE && !LOOPBACK.test(values.EMULATOR_ADDR.host);
  if (machine === undefined || isOpen) return undefined;
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(machine, { all: true });
  return new LocalPeers(
    undefined,
    found.map(({ address }) => address),
  );
}
