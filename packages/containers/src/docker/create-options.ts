import type { ContainerMount, ContainerPort, ContainerSpec } from '@emu/core/service';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';

/** Formats a port for the engine's API. */
export const portKey = ({ port, protocol = 'tcp' }: ContainerPort): string => `${port}/${protocol}`;

/**
 * Returns the engine's create options for a spec.
 * @param labels added by the driver
 * @see https://docs.docker.com/reference/api/engine/version/v1.47/#tag/Container/operation/ContainerCreate
 */
export function createOptions(
  spec: ContainerSpec,
  image: string,
  labels: Readonly<Record<string, string>>,
  engine: Engine,
): Docker.ContainerCreateOptions {
  const { ports = [], limits = {}, mounts = [] } = spec;
  const [first] = spec.networks ?? (engine.network === undefined ? [] : [{ network: engine.network, aliases: [] }]);
  return {
    Image: image,
    ...(spec.entrypoint && { Entrypoint: [...spec.entrypoint] }),
    ...(spec.command && { Cmd: [...spec.command] }),
    ...(spec.workingDirectory !== undefined && { WorkingDir: spec.workingDirectory }),
    ...(spec.user !== undefined && { User: spec.user }),
    ...(spec.hostname !== undefined && { Hostname: spec.hostname }),
    Env: Object.entries(spec.environment).map(([name, value]) => `${name}=${value}`),
    Labels: { ...spec.labels, ...labels },
    OpenStdin: spec.input === true,
    AttachStdin: spec.input === true,
    AttachStdout: true,
    AttachStderr: true,
    StdinOnce: false,
    Tty: false,
    ExposedPorts: Object.fromEntries(ports.map((port) => [portKey(port), {}])),
    ...(first && {
      NetworkingConfig: { EndpointsConfig: { [first.network]: { Aliases: [...(first.aliases ?? [])] } } },
    }),
    HostConfig: {
      ...hostConfig(spec, engine),
      ...(first && { NetworkMode: first.network }),
      PortBindings: Object.fromEntries(ports.map((port) => [portKey(port), [binding(port, engine)]])),
      Mounts: mounts.flatMap((mount) => mountSettings(mount, engine)),
      Tmpfs: Object.fromEntries(mounts.flatMap(tmpfs)),
      ...(limits.memory !== undefined && { Memory: limits.memory, MemorySwap: limits.memory }),
      ...(limits.cpus !== undefined && { NanoCpus: Math.round(limits.cpus * 1e9) }),
      ...(limits.processes !== undefined && { PidsLimit: limits.processes }),
    },
  };
}

function hostConfig(spec: ContainerSpec, { local }: Engine): Docker.HostConfig {
  const { hosts = {}, capabilities = {}, mounts = [] } = spec;
  const shares = local && mounts.some(({ type }) => type === 'directory');
  return {
    ExtraHosts: Object.entries(hosts).map(([name, address]) => `${name}:${address}`),
    CapAdd: [...(capabilities.add ?? [])],
    CapDrop: [...(capabilities.drop ?? [])],
    Privileged: spec.privileged === true,
    // With SELinux enabled, containers can only read directories of the machine with label checks disabled.
    ...(shares && { SecurityOpt: ['label=disable'] }),
  };
}

/** Returns the address to publish a port on: loopback if the engine runs on this machine. */
const binding = ({ hostPort }: ContainerPort, { local }: Engine): { HostIp: string; HostPort: string } => ({
  HostIp: local ? '127.0.0.1' : '0.0.0.0',
  HostPort: hostPort === undefined ? '' : String(hostPort),
});

/** Directories that the engine cannot see are copied later. */
function mountSettings(mount: ContainerMount, { local }: Engine): Docker.MountConfig {
  const { target } = mount;
  if (mount.type === 'volume')
    return [{ Type: 'volume', Source: mount.volume, Target: target, ReadOnly: mount.readOnly === true }];
  if (mount.type === 'directory' && local)
    return [{ Type: 'bind', Source: mount.source, Target: target, ReadOnly: mount.readOnly === true }];
  return [];
}

function tmpfs(mount: ContainerMount): [string, string][] {
  if (mount.type !== 'tmpfs') return [];
  return [[mount.target, ['rw', 'exec', ...(mount.size === undefined ? [] : [`size=${mount.size}`])].join(',')]];
}
