import { posix } from 'node:path';
import type { ContainerSpec } from '@emu/core/service';
import type Docker from 'dockerode';
import { pack } from 'tar-fs';

/**
 * Copies the directories of a spec into a created container before it starts, for engines that do not share this
 * process's file system. Files that the container writes there are not visible outside.
 */
export async function copyDirectories(container: Docker.Container, spec: ContainerSpec): Promise<void> {
  for (const mount of spec.mounts ?? []) {
    if (mount.type !== 'directory') continue;
    const prefix = mount.target.replace(/^\/+/, '');
    const archive = pack(mount.source, {
      map: (header) => ({ ...header, name: posix.join(prefix, header.name) }),
    });
    await container.putArchive(archive, { path: '/' });
  }
}
