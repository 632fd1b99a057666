import { networkInterfaces } from 'node:os';
import { type Engine, ownAddress } from './engine.ts';

/**
 * How containers reach listeners of the emulator.
 * - An engine in a virtual machine knows the user's machine by a name, and reaches its loopback interface.
 * - podman of this machine: by the name it has for the gateway of each container's own network. Its bridges are there
 *   only while containers are, so that one listens on all addresses.
 * - Docker of this machine: by the gateway of its default bridge, an address of the machine itself.
 * - Without root's rights, elsewhere, or from a container of the same engine: by an address of this machine.
 */
export async function callbackOf(engine: Engine): Promise<{ bind: string; host: string }> {
  const { local, desktop, podman, rootless, endpoint } = engine;
  if (local && desktop)
    return { bind: '127.0.0.1', host: podman ? 'host.containers.internal' : 'host.docker.internal' };
  if (local && podman) return { bind: '0.0.0.0', host: 'host.containers.internal' };
  const gateway = local && !rootless ? await bridgeGateway(engine) : undefined;
  return gateway === undefined
    ? { bind: '0.0.0.0', host: await ownAddress(endpoint) }
    : { bind: gateway, host: gateway };
}

/** The address of Docker's default bridge; undefined where it was switched off. */
async function bridgeGateway({ docker }: Engine): Promise<string | undefined> {
  try {
    const network = (await docker.getNetwork('bridge').inspect()) as { IPAM?: { Config?: { Gateway?: string }[] } };
    return network.IPAM?.Config?.map(({ Gateway }) => Gateway).find(
      (address) => address !== undefined && isOwn(address),
    );
  } catch {
    // A daemon with `"bridge": "none"`.
    return undefined;
  }
}

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some((own) => own.address === address));
