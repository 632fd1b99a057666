import { baseUrl, choice, derived, matching, optional, pairs, text, withDefault } from '@emu/core/options';
import { BACKENDS, type Backend, type DeclaredOptions, type Option, type SettingsView } from '@emu/core/service';
import { type Toleration, tolerations } from './tolerations.ts';

export type { Toleration } from './tolerations.ts';

/** AWS services that run containers, to which the common settings apply. */
const SERVICES = ['lambda', 'ecs', 'rds', 'elasticache', 'ec2'];

const POD_URL = {
  EMULATOR_K8S_SELF_URL: optional('none; required by the k8s backend', {
    schema: baseUrl,
    description: 'URL at which Pods reach emu.',
    services: SERVICES,
  }),
};

/** Common settings of services that run containers, available as environment variables only. */
export const CONTAINER_OPTIONS = {
  EMULATOR_CONTAINER_CLI: optional('docker, then podman', {
    schema: text('docker, podman or a path'),
    description: 'Container CLI: docker, podman or a path.',
    services: SERVICES,
  }),
  EMULATOR_CONTAINER_BACKEND: optional<Backend>('docker', {
    schema: choice(...BACKENDS),
    description: 'Backend of container-backed services: docker, k8s or process.',
    placeholder: BACKENDS.join('|'),
    services: SERVICES,
  }),
  EMULATOR_CONTAINER_NETWORK: optional("the network of emu's own container, otherwise the engine's default", {
    schema: text('the name of a network of the container engine'),
    description: 'Network of the containers.',
    services: SERVICES,
  }),
  EMULATOR_ECR_REGISTRY_HOST: optional('127.0.0.1; host.containers.internal for podman on macOS and Windows', {
    schema: matching(/^[^\s/]+$/, 'a host, with or without a port'),
    description: 'Host from which the container engine pulls images of the emulated registry.',
    services: ['lambda', 'ecs'],
  }),
  EMULATOR_K8S_NAMESPACE: withDefault('default', {
    schema: matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'the name of a Kubernetes namespace'),
    description: 'Namespace of Pods.',
    services: SERVICES,
  }),
  ...POD_URL,
  EMULATOR_K8S_ECR_URL: derived('host of EMULATOR_K8S_SELF_URL', {
    schema: matching(/^[^\s/]+$/, 'host:port'),
    description: 'Host and port that replace those in image URIs of the emulated registry.',
    services: SERVICES,
    from: podHost,
  }),
  EMULATOR_K8S_PULL_SECRET: optional('none', {
    schema: text('the name of a Secret'),
    description: 'Name of a docker-config-json Secret for image pulls.',
    services: SERVICES,
  }),
  EMULATOR_K8S_NODE_SELECTOR: optional('none', {
    schema: pairs,
    description: 'Node selector of every Pod: key=value,key=value.',
    services: SERVICES,
  }),
  EMULATOR_K8S_TOLERATIONS: optional('none', {
    schema: tolerations,
    description: 'Tolerations of every Pod: a JSON array.',
    services: SERVICES,
  }),
  EMULATOR_K8S_ANNOTATIONS: optional('none', {
    schema: pairs,
    description: 'Annotations of every Pod: key=value,key=value.',
    services: SERVICES,
  }),
};

/** Returns host and port of the URL at which Pods reach emu. */
function podHost(settings: SettingsView): string | undefined {
  const url = settings.of(POD_URL).EMULATOR_K8S_SELF_URL;
  return url === undefined ? undefined : new URL(url).host;
}

/** Common settings of services that run containers, and emu's address for containers. */
export const containerOptions: DeclaredOptions<typeof CONTAINER_OPTIONS> = {
  table: CONTAINER_OPTIONS,
  hosts(settings) {
    const { EMULATOR_K8S_ECR_URL: images, EMULATOR_ECR_REGISTRY_HOST: registry } = settings.of(CONTAINER_OPTIONS);
    return [podHost(settings), images, registry].filter((host) => host !== undefined);
  },
  remote: (settings) => settings.of(CONTAINER_OPTIONS).EMULATOR_CONTAINER_BACKEND === 'k8s',
};

/** Prefix of a service's environment variables. */
type Word<Service extends string> = `EMULATOR_${Uppercase<Service>}`;

/** Settings of one service, which override the common ones. */
export type ServiceContainerOptions<Service extends string> = {
  readonly [Name in `${Word<Service>}_BACKEND`]: Option<Backend | undefined>;
} & {
  readonly [Name in `${Word<Service>}_K8S_TOLERATIONS`]: Option<readonly Toleration[] | undefined>;
} & {
  readonly [Name in `${Word<Service>}_K8S_${'NODE_SELECTOR' | 'ANNOTATIONS'}`]: Option<
    Readonly<Record<string, string>> | undefined
  >;
};

const wordOf = <Service extends string>(service: Service): Word<Service> =>
  `EMULATOR_${service.toUpperCase() as Uppercase<Service>}`;

/**
 * Returns the settings of one service that runs containers, with the common settings as defaults.
 * @param service e.g. `lambda`, with variables that begin with `EMULATOR_LAMBDA_`
 */
function serviceContainerTable<Service extends string>(service: Service): ServiceContainerOptions<Service> {
  const word = wordOf(service);
  const services = [service];
  return {
    [`${word}_BACKEND`]: derived('EMULATOR_CONTAINER_BACKEND', {
      schema: choice(...BACKENDS),
      description: `What ${service} runs on.`,
      placeholder: BACKENDS.join('|'),
      services,
      from: (settings) => settings.of(CONTAINER_OPTIONS).EMULATOR_CONTAINER_BACKEND,
    }),
    [`${word}_K8S_NODE_SELECTOR`]: derived('EMULATOR_K8S_NODE_SELECTOR', {
      schema: pairs,
      description: `Node selector of the Pods of ${service}.`,
      services,
      from: (settings) => settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_NODE_SELECTOR,
    }),
    [`${word}_K8S_TOLERATIONS`]: derived('EMULATOR_K8S_TOLERATIONS', {
      schema: tolerations,
      description: `Tolerations of the Pods of ${service}.`,
      services,
      from: (settings) => settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_TOLERATIONS,
    }),
    [`${word}_K8S_ANNOTATIONS`]: derived('EMULATOR_K8S_ANNOTATIONS', {
      schema: pairs,
      description: `Annotations of the Pods of ${service}.`,
      services,
      from: (settings) => settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_ANNOTATIONS,
    }),
  } as unknown as ServiceContainerOptions<Service>;
}

/** Backend of a service, and its settings for Pods. */
export interface ServiceContainerSettings {
  backend: Backend | undefined;
  nodeSelector: Readonly<Record<string, string>> | undefined;
  tolerations: readonly Toleration[] | undefined;
  annotations: Readonly<Record<string, string>> | undefined;
}

/** Returns the effective settings of a service that runs containers. */
export function containerSettings(settings: SettingsView, service: string): ServiceContainerSettings {
  const word = wordOf(service);
  const values = settings.of(serviceContainerTable(service));
  return {
    backend: values[`${word}_BACKEND`],
    nodeSelector: values[`${word}_K8S_NODE_SELECTOR`],
    tolerations: values[`${word}_K8S_TOLERATIONS`],
    annotations: values[`${word}_K8S_ANNOTATIONS`],
  };
}

/** Options that a service with containers declares: its own table, and the validation of the k8s backend. */
export function serviceContainerOptions<Service extends string>(
  service: Service,
): DeclaredOptions<ServiceContainerOptions<Service>> {
  const table = serviceContainerTable(service);
  const backend: `${Word<string>}_BACKEND` = `${wordOf<string>(service)}_BACKEND`;
  // Cached, because every start reads it.
  const own = { [backend]: (table as ServiceContainerOptions<string>)[backend]! };
  const runsPods = (settings: SettingsView): boolean => settings.of(own)[backend] === 'k8s';
  return {
    table,
    check: (settings) =>
      runsPods(settings) && settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_SELF_URL === undefined
        ? `${settings.has(backend) ? backend : 'EMULATOR_CONTAINER_BACKEND'} k8s requires EMULATOR_K8S_SELF_URL, the URL at which Pods reach emu.`
        : undefined,
    remote: runsPods,
  };
}
