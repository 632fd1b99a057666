import type { EmulatorSettings } from '@emu/core/service';
import { ContainerError, type ContainerMount, type ContainerSpec } from '@emu/core/service';
import type { V1Container, V1EnvVar, V1Pod, V1PodSpec, V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import { CONTAINER_OPTIONS, containerSettings } from '../options.ts';
import { OWNER_LABEL } from '../ownership.ts';

/** Name of the container that runs a spec. */
export const MAIN = 'main';
/** Name and image of the init container that fetches files. The image contains wget and unzip. */
export const FETCH = 'fetch';
const FETCH_IMAGE = 'public.ecr.aws/docker/library/alpine:3.20';
/**
 * Shell script that fetches archives and unpacks each over the existing files. Its arguments are pairs of directory and
 * URL. unzip removes leading dots and slashes from names and creates links last, so an archive cannot write through its
 * own links. Link targets are validated before the next archive.
 */
const FETCH_SCRIPT = `set -e
archive=$(mktemp)
while [ $# -gt 0 ]; do
  wget -qO "$archive" "$2"
  unzip -oq "$archive" -d "$1"
  inside=$(readlink -f "$1")
  export inside
  out=$(find "$1" -type l -exec sh -c 'case $(readlink -f "$1") in "$inside"/* | "") ;; *) echo "$1" ;; esac' sh {} \\;)
  if [ -n "$out" ]; then
    echo "$out leads out of the package" >&2
    exit 1
  fi
  shift 2
done`;
/** Pattern of the AWS name of an image in the emulated registry. */
const ECR = /^\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\//;
const PULL_POLICIES = { always: 'Always', missing: 'IfNotPresent', never: 'Never' } as const;
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

/** Input of a Pod manifest. */
export interface PodSources {
  name: string;
  spec: ContainerSpec;
  settings: EmulatorSettings;
  /** Labels added by the driver. */
  labels: Readonly<Record<string, string>>;
}

/**
 * Returns the Pod that runs a spec. Labels that are invalid in Kubernetes become annotations.
 * @throws ContainerError `image` if the spec has none, `engine` for features that Pods do not support
 */
export function podManifest({ name, spec, settings, labels }: PodSources): V1Pod {
  const values = settings.of(CONTAINER_OPTIONS);
  const own = containerSettings(settings, spec.service);
  const all = Object.entries({ ...spec.labels, ...labels });
  const isLabel = ([key, value]: [string, string]): boolean => key !== OWNER_LABEL && LABEL_VALUE.test(value);
  const annotations = { ...own.annotations, ...Object.fromEntries(all.filter((entry) => !isLabel(entry))) };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: values.EMULATOR_K8S_NAMESPACE,
      labels: { 'app.kubernetes.io/managed-by': 'emulator', ...Object.fromEntries(all.filter(isLabel)) },
      annotations,
    },
    spec: {
      restartPolicy: 'Never',
      // The code under test receives no permissions in the cluster and no variables of its services.
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(own.nodeSelector && { nodeSelector: { ...own.nodeSelector } }),
      ...(own.tolerations && { tolerations: own.tolerations.map((toleration) => ({ ...toleration })) }),
      ...(values.EMULATOR_K8S_PULL_SECRET && { imagePullSecrets: [{ name: values.EMULATOR_K8S_PULL_SECRET }] }),
      ...podParts(spec, settings),
      containers: [mainContainer(spec, settings)],
    },
  };
}

function podParts(spec: ContainerSpec, settings: EmulatorSettings): Partial<V1PodSpec> {
  const { EMULATOR_K8S_SELF_URL: url } = settings.of(CONTAINER_OPTIONS);
  const { hosts = {}, mounts = [] } = spec;
  if (spec.networks?.length) throw refused(spec, 'Pods share one network');
  const names = new Map<string, string[]>();
  for (const [host, address] of Object.entries(hosts)) names.set(address, [...(names.get(address) ?? []), host]);
  const fetched = mounts.flatMap((mount) =>
    mount.type === 'directory' ? (mount.archives ?? []).flatMap((path) => [mount.target, `${url}${path}`]) : [],
  );
  const init: V1Container = {
    name: FETCH,
    image: FETCH_IMAGE,
    command: ['/bin/sh', '-c', literal(FETCH_SCRIPT), FETCH],
    args: fetched.map(literal),
    volumeMounts: mountPoints(mounts).filter(({ name }) => name.startsWith('files-')),
  };
  return {
    ...(spec.hostname !== undefined && { hostname: spec.hostname }),
    ...(names.size > 0 && { hostAliases: [...names].map(([ip, hostnames]) => ({ ip, hostnames })) }),
    ...(fetched.length > 0 && { initContainers: [init] }),
    ...(mounts.length > 0 && { volumes: mounts.map((mount, index) => volumeOf(spec, mount, index)) }),
  };
}

function mainContainer(spec: ContainerSpec, settings: EmulatorSettings): V1Container {
  const { ports = [], limits = {}, mounts = [] } = spec;
  const resources = {
    ...(limits.memory !== undefined && { memory: String(limits.memory) }),
    ...(limits.cpus !== undefined && { cpu: `${Math.max(1, Math.round(limits.cpus * 1000))}m` }),
  };
  return {
    name: MAIN,
    image: imageOf(spec, settings),
    imagePullPolicy: PULL_POLICIES[spec.pull ?? 'missing'],
    ...(spec.entrypoint && { command: spec.entrypoint.map(literal) }),
    ...(spec.command && { args: spec.command.map(literal) }),
    ...(spec.workingDirectory !== undefined && { workingDir: spec.workingDirectory }),
    env: Object.entries(spec.environment).map(([name, value]): V1EnvVar => ({ name, value: literal(value) })),
    ...(ports.length > 0 && {
      ports: ports.map(({ port, protocol = 'tcp', hostPort }) => ({
        containerPort: port,
        protocol: protocol.toUpperCase(),
        ...(hostPort !== undefined && { hostPort }),
      })),
    }),
    ...(Object.keys(resources).length > 0 && { resources: { limits: resources } }),
    ...(mounts.length > 0 && { volumeMounts: mountPoints(mounts) }),
    ...security(spec),
    ...(spec.input && { stdin: true }),
  };
}

function security(spec: ContainerSpec): Pick<V1Container, 'securityContext'> {
  const { capabilities, privileged, user } = spec;
  const [, uid, gid] = /^(\d+)(?::(\d+))?$/.exec(user ?? '') ?? [];
  if (user !== undefined && uid === undefined) throw refused(spec, `its user must be a number, not ${user}`);
  const context = {
    ...(capabilities && {
      capabilities: { add: [...(capabilities.add ?? [])], drop: [...(capabilities.drop ?? [])] },
    }),
    ...(privileged && { privileged: true }),
    ...(uid !== undefined && { runAsUser: Number(uid) }),
    ...(gid !== undefined && { runAsGroup: Number(gid) }),
  };
  return Object.keys(context).length > 0 ? { securityContext: context } : {};
}

/** Returns the image name for the cluster. Images of the emulated registry are pulled from the emulator. */
function imageOf(spec: ContainerSpec, settings: EmulatorSettings): string {
  if (spec.image === undefined) throw new ContainerError('image', `no image to run ${spec.name}`);
  if (!ECR.test(spec.image)) return spec.image;
  // The driver has checked the URL, whose host is the default.
  return spec.image.replace(/^[^/]+/, settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_ECR_URL!);
}

function volumeOf(spec: ContainerSpec, mount: ContainerMount, index: number): V1Volume {
  const name = volumeName(mount, index);
  if (mount.type === 'tmpfs')
    return { name, emptyDir: { medium: 'Memory', ...(mount.size !== undefined && { sizeLimit: String(mount.size) }) } };
  if (mount.type === 'volume')
    throw refused(spec, `it asks for the volume ${mount.volume}, which Pods cannot be given`);
  if (!mount.archives) throw refused(spec, `Pods do not see the directory ${mount.source} of the emulator's machine`);
  return { name, emptyDir: {} };
}

const volumeName = ({ type }: ContainerMount, index: number): string =>
  type === 'directory' ? `files-${index}` : `memory-${index}`;

/** Returns the mounts of volumes in the main container. Files are fetched into them. */
function mountPoints(mounts: readonly ContainerMount[]): V1VolumeMount[] {
  return mounts.map((mount, index) => ({ name: volumeName(mount, index), mountPath: mount.target }));
}

const refused = ({ name }: ContainerSpec, why: string): ContainerError =>
  new ContainerError('engine', `${name} cannot be started as a Pod: ${why}`);

/** Escapes a dollar sign, because Kubernetes replaces `$(NAME)` in values and commands. */
const literal = (text: string): string => text.replaceAll('$(', () => '$$(');
