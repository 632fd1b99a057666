import { derived, type Option, optional, withDefault } from './option.ts';
import { baseUrl, boolean, choice, integer, matching, pairs, type Toleration, text, tolerations } from './schemas.ts';

/** Services that run containers, by the word their variables carry. */
export const CONTAINER_SERVICES = {
  LAMBDA: 'lambda',
  ECS: 'ecs',
  RDS: 'rds',
  ELASTICACHE: 'elasticache',
  EC2: 'ec2',
} as const;
export type ContainerServiceWord = keyof typeof CONTAINER_SERVICES;

const ALL = Object.values(CONTAINER_SERVICES);

/** What containers run on. */
export const BACKENDS = ['docker', 'k8s', 'process'] as const;
export type Backend = (typeof BACKENDS)[number];

const image = text('the name of a container image');
const PUBLIC_ALPINE = 'built locally; a public alpine 3.20 image on Kubernetes';

/** One option per service that runs containers. */
function perService<Suffix extends string, Value>(
  suffix: Suffix,
  make: (word: ContainerServiceWord) => Option<Value>,
): Record<`EMULATOR_${ContainerServiceWord}_${Suffix}`, Option<Value>> {
  const words = Object.keys(CONTAINER_SERVICES) as ContainerServiceWord[];
  return Object.fromEntries(words.map((word) => [`EMULATOR_${word}_${suffix}`, make(word)])) as never;
}

/** Settings of container-backed services; only the environment has them. */
export const CONTAINER_OPTIONS = {
  EMULATOR_CONTAINER_CLI: optional('docker, then podman', {
    schema: text('docker, podman or a path'),
    description: 'Container CLI: docker, podman or a path.',
    services: ALL,
  }),
  EMULATOR_CONTAINER_BACKEND: optional('docker', {
    schema: choice(...BACKENDS),
    description: 'What container-backed services run on: docker, k8s or process.',
    placeholder: BACKENDS.join('|'),
    services: ALL,
  }),
  ...perService('BACKEND', (word) =>
    optional<Backend>('EMULATOR_CONTAINER_BACKEND', {
      schema: choice(...BACKENDS),
      description: `What ${CONTAINER_SERVICES[word]} runs on.`,
      placeholder: BACKENDS.join('|'),
      services: [CONTAINER_SERVICES[word]],
    }),
  ),
  EMULATOR_ECS_CREDS_HELPER_IMAGE: optional(PUBLIC_ALPINE, {
    schema: image,
    description: "Image that routes a task's 169.254.170.2 to emu; needs sh, getent, awk, and nft or iptables.",
    services: ['ecs'],
  }),
  EMULATOR_EC2_DEFAULT_IMAGE: withDefault('amazonlinux:2023', {
    schema: image,
    description: 'Image that instances boot from: any OS image with tail and sh.',
    services: ['ec2'],
  }),
  EMULATOR_EC2_HELPER_IMAGE: optional(PUBLIC_ALPINE, {
    schema: image,
    description: 'Sidecar image of instances; needs sh, getent, awk, nginx, socat, and nft or iptables.',
    services: ['ec2'],
  }),
  EMULATOR_ECR_REGISTRY_HOST: optional('127.0.0.1; host.containers.internal for podman on macOS and Windows', {
    schema: matching(/^[^\s/]+$/, 'a host, with or without a port'),
    description: 'Host that the container engine pulls images of the emulated registry from.',
    services: ['lambda', 'ecs'],
  }),
  EMULATOR_PERSIST_DB_VOLUMES: derived('on in persistent mode', {
    schema: boolean,
    description: 'Keep the data of relational databases in a named volume.',
    services: ['rds'],
  }),
  EMULATOR_PERSIST_EC2_VOLUMES: derived('on in persistent mode', {
    schema: boolean,
    description: "Keep each instance's data directory in a named volume.",
    services: ['ec2'],
  }),
  EMULATOR_EC2_INSTANCE_DATA_DIR: withDefault('/var/lib/emulator/ec2', {
    schema: matching(/^\//, 'an absolute path'),
    description: 'Directory inside an instance that its volume holds.',
    services: ['ec2'],
  }),
  EMULATOR_LAMBDA_MAX_CONCURRENCY: withDefault('10', {
    schema: integer(1),
    description: 'Most warm instances of one function; each serves one invocation at a time.',
    services: ['lambda'],
  }),
  EMULATOR_LAMBDA_RUNTIME_IMAGES: optional("AWS's images, public.ecr.aws/lambda/<name>:<tag>", {
    schema: pairs,
    description: 'Images that run functions of a runtime instead: runtime=image,runtime=image.',
    services: ['lambda'],
  }),
  EMULATOR_K8S_NAMESPACE: withDefault('default', {
    schema: matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'the name of a Kubernetes namespace'),
    description: 'Namespace of Pods.',
    services: ALL,
  }),
  EMULATOR_K8S_SELF_URL: optional('none; required by the k8s backend', {
    schema: baseUrl,
    description: 'URL at which Pods reach emu.',
    services: ALL,
  }),
  EMULATOR_K8S_ECR_URL: derived('host of EMULATOR_K8S_SELF_URL', {
    schema: matching(/^[^\s/]+$/, 'host:port'),
    description: 'Host and port that URIs of images in the emulated registry are rewritten to.',
    services: ALL,
  }) as Option<string | undefined>,
  EMULATOR_K8S_PULL_SECRET: optional('none', {
    schema: text('the name of a Secret'),
    description: 'Name of a docker-config-json Secret to pull images with.',
    services: ALL,
  }),
  EMULATOR_K8S_NODE_SELECTOR: optional('none', {
    schema: pairs,
    description: 'Node selector of every Pod: key=value,key=value.',
    services: ALL,
  }),
  ...perService('K8S_NODE_SELECTOR', (word) =>
    optional<Readonly<Record<string, string>>>('EMULATOR_K8S_NODE_SELECTOR', {
      schema: pairs,
      description: `Node selector of the Pods of ${CONTAINER_SERVICES[word]}.`,
      services: [CONTAINER_SERVICES[word]],
    }),
  ),
  EMULATOR_K8S_TOLERATIONS: optional('none', {
    schema: tolerations,
    description: 'Tolerations of every Pod: a JSON array.',
    services: ALL,
  }),
  ...perService('K8S_TOLERATIONS', (word) =>
    optional<readonly Toleration[]>('EMULATOR_K8S_TOLERATIONS', {
      schema: tolerations,
      description: `Tolerations of the Pods of ${CONTAINER_SERVICES[word]}.`,
      services: [CONTAINER_SERVICES[word]],
    }),
  ),
  EMULATOR_K8S_ANNOTATIONS: optional('none', {
    schema: pairs,
    description: 'Annotations of every Pod: key=value,key=value.',
    services: ALL,
  }),
  ...perService('K8S_ANNOTATIONS', (word) =>
    optional<Readonly<Record<string, string>>>('EMULATOR_K8S_ANNOTATIONS', {
      schema: pairs,
      description: `Annotations of the Pods of ${CONTAINER_SERVICES[word]}.`,
      services: [CONTAINER_SERVICES[word]],
    }),
  ),
};
