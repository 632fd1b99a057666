import { CONTAINER_OPTIONS } from '@emu/containers/options';
import type { ContainerMount, ContainerRuntime, ContainerSpec, EmulatorSettings } from '@emu/core/service';
import { lambdaError } from '../errors.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import { relayArguments, WITH_RELAY } from '../parameters-extension/relay.ts';
import type { LayerReference, Version } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { bootstrapOf, extensionPrograms } from './process-launch.ts';
import { runtimeImage } from './runtime-images.ts';

/** File locations in an environment, the same as AWS's. */
export const TASK_ROOT = '/var/task';
export const LAYER_ROOT = '/opt';
export const RUNTIME_DIRECTORY = '/var/runtime';
/** Location of the files for AWS's host names, which AWS's environments lack. */
export const NAMES_DIRECTORY = '/var/emu';

/** Start options of an environment's container, except its variables. */
export type ContainerLaunch = Pick<
  ContainerSpec,
  'image' | 'platform' | 'entrypoint' | 'command' | 'workingDirectory' | 'mounts' | 'hosts'
> & {
  /** Names of external extensions that it starts itself. */
  extensions: string[];
};

/** Entry point of AWS's images, which starts the runtime with the handler. */
const AWS_ENTRYPOINT = '/lambda-entrypoint.sh';
/** Starts the extensions beside the runtime, as the service does. */
const WITH_EXTENSIONS = 'for extension in /opt/extensions/*; do [ -f "$extension" ] && "$extension" & done; exec "$@"';

/** Inputs of a launch plan. */
export interface LaunchSources {
  state: LambdaState;
  version: Version;
  runtime: ContainerRuntime;
  /** Local directories with the unpacked package and layers. */
  taskRoot: string;
  layerRoot: string;
  /** Internal port of the Parameters and Secrets extension; undefined without the extension. */
  extensionPort?: number | undefined;
  /** Local directory with the files for AWS's host names; undefined if the names lead to AWS. */
  namesDirectory: string | undefined;
  /** URL of the emulator on this machine. */
  selfUrl: string;
}

/**
 * Returns the container for a version: AWS's image for its runtime with package and layers, or the function's own
 * image.
 * @throws MissingBootstrap for a `provided` function without a bootstrap
 */
export async function containerLaunch(sources: LaunchSources): Promise<ContainerLaunch> {
  const { state, version, taskRoot, layerRoot } = sources;
  const { config } = version;
  // AWS's hostname within an environment, which extensions use for their listeners.
  const hosts = { 'sandbox.localdomain': '127.0.0.1', sandbox: '127.0.0.1' };
  const { runtime } = config;
  if (config.packageType === 'Image' || runtime === undefined) {
    const { EntryPoint, Command, WorkingDirectory } = config.imageConfig ?? {};
    return {
      image: await ownImage(sources),
      hosts,
      extensions: [],
      mounts: [temporaryMount(sources), ...namesMounts(sources)],
      ...(EntryPoint?.length && { entrypoint: EntryPoint }),
      ...(Command?.length && { command: Command }),
      ...(WorkingDirectory && { workingDirectory: WorkingDirectory }),
    };
  }
  const extensions = (await extensionPrograms(layerRoot)).map(({ name }) => name);
  const provided = runtime.startsWith('provided');
  const program = provided ? programInside(await bootstrapOf(version, taskRoot, layerRoot), taskRoot) : AWS_ENTRYPOINT;
  const relayed = sources.extensionPort !== undefined;
  const script = relayed ? `${WITH_RELAY}\n${WITH_EXTENSIONS}` : WITH_EXTENSIONS;
  const given = relayed ? relayArguments(sources.extensionPort!) : [];
  const wrapped = relayed || extensions.length > 0 ? ['/bin/sh', '-c', script, 'emu', ...given, program] : undefined;
  const entrypoint = wrapped ?? (provided ? [program] : undefined);
  return {
    ...runtimeImage(
      runtime,
      config.architectures[0],
      state.service.settings.of(LAMBDA_OPTIONS).EMULATOR_LAMBDA_RUNTIME_IMAGES,
    ),
    hosts,
    extensions,
    ...(entrypoint && { entrypoint }),
    command: [config.handler ?? ''],
    workingDirectory: TASK_ROOT,
    mounts: [taskMount(sources), ...layerMounts(sources), temporaryMount(sources), ...namesMounts(sources)],
  };
}

const programInside = (program: string, taskRoot: string): string =>
  program.startsWith(taskRoot) ? `${TASK_ROOT}/bootstrap` : `${LAYER_ROOT}/bootstrap`;

function taskMount({ state, version, taskRoot }: LaunchSources): ContainerMount {
  const { functionName } = version;
  const number = version.version === '$LATEST' ? 'latest' : version.version;
  const path = `/_emulator/lambda/function-code/${state.accountId}/${functionName}/${number}.zip`;
  const archives = version.code.body === undefined ? [] : [`${path}?region=${state.region}`];
  return { type: 'directory', source: taskRoot, target: TASK_ROOT, readOnly: true, archives };
}

/** Returns the function's own /tmp, with the size of its ephemeral storage. */
const temporaryMount = ({ version }: LaunchSources): ContainerMount => ({
  type: 'tmpfs',
  target: '/tmp',
  size: version.config.ephemeralStorage.Size * 1024 * 1024,
});

const namesMounts = ({ namesDirectory: source }: LaunchSources): ContainerMount[] =>
  source === undefined ? [] : [{ type: 'directory', source, target: NAMES_DIRECTORY, readOnly: true }];

function layerMounts({ version, layerRoot }: LaunchSources): ContainerMount[] {
  const layers = version.config.layers.filter(({ body }) => body !== undefined);
  // An empty mount would hide the image's contents.
  if (layers.length === 0) return [];
  return [
    { type: 'directory', source: layerRoot, target: LAYER_ROOT, readOnly: true, archives: layers.map(layerArchive) },
  ];
}

function layerArchive({ arn }: LayerReference): string {
  const [, , , region, account, , name, number] = arn.split(':');
  return `/_emulator/lambda/layer-content/${account}/${name}/${number}.zip?region=${region}`;
}

/** An image of the emulated registry by its AWS name. */
const ECR = /^(\d{12})\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\//;

/**
 * Returns the image reference of a function with package type `Image` for the engine: its own name if the engine has
 * the image; otherwise an image of the emulated registry is pulled from the emulator.
 * @throws AwsError `InvalidRuntimeException` if the version has no image
 */
async function ownImage({ state, version, runtime, selfUrl }: LaunchSources): Promise<string> {
  const { imageUri } = version.code;
  if (imageUri === undefined)
    throw lambdaError('InvalidRuntimeException', `emu cannot run ${version.functionName}: it has no image.`, 'Service');
  // Kubernetes cannot be asked for local images: its driver is configured with the registry.
  if (!ECR.test(imageUri) || runtime.images === undefined || (await runtime.images.find(imageUri)) !== undefined)
    return imageUri;
  return imageUri.replace(/^[^/]+/, await registryOf(state.service.settings, runtime, selfUrl));
}

/** Returns the host and port from which an engine pulls images of the emulator. */
async function registryOf(settings: EmulatorSettings, runtime: ContainerRuntime, selfUrl: string): Promise<string> {
  const host = settings.of(CONTAINER_OPTIONS).EMULATOR_ECR_REGISTRY_HOST ?? (await registryHost(runtime));
  return host.includes(':') ? host : `${host}:${new URL(selfUrl).port}`;
}

/**
 * Returns the host of the registry for an engine. podman's virtual machine on macOS and Windows cannot reach the
 * emulator at its own loopback address.
 */
async function registryHost(runtime: ContainerRuntime): Promise<string> {
  const { host } = process.platform === 'linux' ? { host: '' } : await runtime.callback();
  return host === 'host.containers.internal' ? host : '127.0.0.1';
}
