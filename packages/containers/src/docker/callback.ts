import { networkInterfaces } from 'node:os';
import { type Callback, LocalPeers } from '@emu/core/service';
import { type Engine, ownAddress } from './engine.ts';

/**
 * Returns how containers reach listeners of the emulator.
 * - Engine in a virtual machine: by its name for the user's machine, whose loopback interface it reaches.
 * - Docker on this machine: by the gateway of its default bridge, an address of this machine.
 * - Engine that runs this process's own container: by the container's address in a shared network.
 * - Rootless podman: by its name for the machine.
 * - podman on this machine, whose bridges exist only while containers run, and remote engines: by an address of this
 *   machine. An address is preferred to a name, because SDKs then use path-style bucket URLs.
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
  // On a machine without a network, podman's name for the machine is used.
  const reached = { bind: '0.0.0.0', host: address ?? 'host.containers.internal' };
  if (local) return { ...reached, ofMachine: true };
  return { ...reached, ...(endpoint.host !== undefined && { machine: endpoint.host }) };
}

/** Returns the gateway of Docker's default bridge; undefined if the bridge is disabled. */
async function bridgeGateway({ docker }: Engine): Promise<Callback | undefined> {
  try {
    const network = (await docker.getNetwork('bridge').inspect()) as {
      IPAM?: { Config?: { Gateway?: string; Subnet?: string }[] };
    };
    const { Gateway: gateway, Subnet = '' } =
      network.IPAM?.Config?.find(({ Gateway }) => Gateway !== undefined && isOwn(Gateway)) ?? {};
    if (gateway === undefined) return undefined;
    // Other machines of a network can also reach the address of a bridge. A bridge with an unusual name is not
    // recognized as one.
    const ofMachine = new LocalPeers().has(Subnet.split('/')[0]);
    return { bind: gateway, host: gateway, ...(ofMachine && { ofMachine }) };
  } catch {
    // A daemon with `"bridge": "none"`.
    return undefined;
  }
}

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some((own) => own.address === address));
