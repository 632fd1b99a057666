import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type Docker from 'dockerode';

/** The container that this process runs in, as the engine beside it knows it. */
export interface OwnContainer {
  id: string;
  /** Network that somebody made and that other containers have to be in to reach this process. */
  network: string | undefined;
  /** Address of this process in that network, or else in the engine's own; undefined where it has the machine's. */
  address: string | undefined;
}

/** Networks that engines put containers in by themselves. */
const DEFAULT_NETWORKS = ['bridge', 'podman'];
/** A container's files, as its own mounts name them: `/var/lib/docker/containers/<id>/hostname` of Docker's, for one. */
const IN_MOUNTS = /containers\/([0-9a-f]{64})\//;
const MOUNTS = '/proc/self/mountinfo';

/**
 * Finds the container of this process among those of an engine.
 * @param wanted network to be reached in; without it one that somebody made, before the engine's own
 * @returns undefined where the engine does not have it: a process in a container of another engine
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
      // No container of that name, or an engine that does not tell.
    }
  }
  return undefined;
}

/** Names that this process's container may have: engines mount files of its own into it, and name its host by its id. */
function candidates(): string[] {
  try {
    const id = IN_MOUNTS.exec(readFileSync(MOUNTS, 'utf8'))?.[1];
    return id === undefined ? [hostname()] : [id, hostname()];
  } catch {
    // Only Linux tells its mounts.
    return [hostname()];
  }
}
