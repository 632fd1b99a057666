import { lookup } from 'node:dns/promises';
import type { EmulatorSettings } from '../config/settings.ts';
import type { Callback } from '../containers/containers.ts';
import { LocalPeers } from './local-peers.ts';

const LOOPBACK = /^(?:localhost|127\.|\[?::1\]?$)/;

/**
 * Who may connect to a listener that is there for instances alone, and is no less a way into the emulator than its own
 * address: this machine and its bridges, with the machine that the instances are on where that is another.
 * @returns undefined for everybody: the emulator is open to all, or it is bound where nobody else is
 */
export async function callbackPeers(
  { ofMachine, machine }: Callback,
  { values }: EmulatorSettings,
): Promise<LocalPeers | undefined> {
  if (ofMachine) return new LocalPeers();
  const isOpen = values.EMULATOR_ALLOW_REMOTE && !LOOPBACK.test(values.EMULATOR_ADDR.host);
  if (machine === undefined || isOpen) return undefined;
  const found = await lookup(machine, { all: true });
  return new LocalPeers(
    undefined,
    found.map(({ address }) => address),
  );
}
