import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type Docker from 'dockerode';

/** Container of this process, as seen by its engine. */
export interface OwnContainer {
  id: string;
  /** User-defined network that other containers must join to reach this process. */
  network: string | undefined;
  /**
   * Address of this process in that network, or in the engine's default network; undefined if it uses the machine's
   * network.
   */
  address: string | undefined;
}

/** Default networks of engines. */
const DEFAULT_NETWORKS = ['bridge', 'podman'];
/** Path of a container's files in its own mounts, e.g. `/var/lib/docker/containers/<id>/hostname` for Docker. */
const IN_MOUNTS = /containers\/([0-9a-f]{64})\//;
const MOUNTS = '/proc/self/mountinfo';

/**
 * Finds the container of this process among those of an engine.
 * @param wanted network that other containers share with it; by default a user-defined one, otherwise the engine's
 * default
 * @returns undefined if the engine does not have it, e.g. if another engine runs this process
 */
export async function findOwnContainer(docker: Docker, wanted: string | undefined): Promise<OwnContainer | undefined> {
  for (const id of candidates()) {
    try {
      const { Id, NetworkSettings } = await docker.getContainer(id).inspect();
      const networks = Object.entries(NetworkSettings.Networks ?? {}).filter(([, { IPAddress }]) => IPAddress);
      const made = networks.find(([name]) => !DEFAULT_NETWORKS.includes(name));
      const shared = wanted === undefined ? (made ?? networks[0]) : networks.find(([name]) => name === wanted);
      return { id: Id, network: made && shared?.[0], address: shared?.[1].IPAddress };
    } catch {
      // Unknown container, or the engine does not allow the query.
    }
  }
  return undefined;
}

/**
 * Returns possible ids of this process's container: engines mount files from a directory with the id, and use the id as
 * host name.
 */
function candidates(): string[] {
  try {
    const id = IN_MOUNTS.exec(readFileSync(MOUNTS, 'utf8'))?.[1];
    return id === undefined ? [hostname()] : [id, hostname()];
  } catch {
    // Mounts can be read on Linux only.
    return [hostname()];
  }
}
