import { networkInterfaces } from 'node:os';
import { type Callback, LocalPeers } from '@emu/core/service';
import { type Engine, ownAddress } from './engine.ts';

/**
 * How containers reach listeners of the emulator.
 * - An engine in a virtual machine knows the user's machine by a name, and reaches its loopback interface.
 * - Docker of this machine: by the gateway of its default bridge, an address of the machine itself.
 * - The engine that this process's own container belongs to: by its address in the network that they share.
 * - podman without root's rights: by the name it has for the machine.
 * - podman of this machine, whose bridges are there only while containers are, and engines elsewhere: by an address of
 *   this machine. Addresses are better than names: by them the SDKs leave the
 *   names of buckets out of the host.
 */
export async function callbackOf(engine: Engine): Promise<Callback> {
  const { local, desktop, podman, rootless, endpoint, own } = engine;
  if (own?.address !== undefined) return { bind: own.address, host: own.address };
  if (local && desktop)
    return { bind: '127.0.0.1', host: podman ? 'host.containers.internal' : 'host.docker.internal' };
  if (local && podman && rootless) return { bind: '0.0.0.0', host: 'host.containers.internal', ofMachine: true };
  const gateway = local && !podman && !rootless ? await bridgeGateway(engine) : undefined;
  if (gateway) return gateway;
  const address = await ownAddress(endpoint);
  // A machine without a network: podman's containers have a name for it.
  const reached = { bind: '0.0.0.0', host: address ?? 'host.containers.internal' };
  if (local) return { ...reached, ofMachine: true };
  return { ...reached, ...(endpoint.host !== undefined && { machine: endpoint.host }) };
}

/** By Docker's default bridge; undefined where it was switched off. */
async function bridgeGateway({ docker }: Engine): Promise<Callback | undefined> {
  try {
    const network = (await docker.getNetwork('bridge').inspect()) as {
      IPAM?: { Config?: { Gateway?: string; Subnet?: string }[] };
    };
    const { Gateway: gateway, Subnet = '' } =
      network.IPAM?.Config?.find(({ Gateway }) => Gateway !== undefined && isOwn(Gateway)) ?? {};
    if (gateway === undefined) return undefined;
    // Other machines of a network can send to the address of a bridge, too. One of an unusual name is not known for one.
    const ofMachine = new LocalPeers().has(Subnet.split('/')[0]);
    return { bind: gateway, host: gateway, ...(ofMachine && { ofMachine }) };
  } catch {
    // A daemon with `"bridge": "none"`.
    return undefined;
  }
}

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some((own) => own.address === address));
