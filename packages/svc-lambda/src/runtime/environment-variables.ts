import type { SessionCredential } from '@emu/core/service';
import { GEM_LINKS } from '../interpreters/ruby.ts';
import type { Version } from '../records.ts';
import type { LambdaState } from '../state.ts';
import type { InitializationType } from './environment.ts';
import { SDK_V2_MODULES } from './node-sdk.ts';

/** Inputs for the variables of an execution environment. */
export interface VariableSources {
  state: LambdaState;
  version: Version;
  initialization: InitializationType;
  credential: SessionCredential;
  logGroup: string;
  logStream: string;
  /** `host:port` of the Runtime API. */
  runtimeApi: string;
  /** Emulator URL for the function's own calls. */
  endpoint: string;
  /** Locations of package and layers inside the environment. */
  taskRoot: string;
  layerRoot: string;
  runtimeDirectory: string;
  /** Port of the Parameters and Secrets extension, if it differs from the function's configuration. */
  extensionPort: number | undefined;
  /** Whether they are for an image, which has its own search paths. */
  isolated: boolean;
  /** Variables by which the runtime reaches emu at AWS's host names. */
  names: Readonly<Record<string, string>>;
  /** Additional PATH directories, in front. */
  path?: readonly string[];
}

/**
 * Returns the variables of a function's runtime.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function environmentVariables(sources: VariableSources): Record<string, string> {
  const { state, version, credential, taskRoot, runtimeDirectory } = sources;
  const { config } = version;
  const { loggingConfig } = config;
  return {
    ...(sources.isolated ? {} : machineVariables(sources)),
    AWS_ENDPOINT_URL: sources.endpoint,
    // User variables override those above; the names below are reserved and take precedence.
    ...config.environment,
    // Those that the function sets, too, contain its values.
    ...sources.names,
    AWS_REGION: state.region,
    AWS_DEFAULT_REGION: state.region,
    AWS_ACCESS_KEY_ID: credential.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credential.secretAccessKey,
    AWS_SESSION_TOKEN: credential.sessionToken,
    AWS_LAMBDA_RUNTIME_API: sources.runtimeApi,
    AWS_LAMBDA_FUNCTION_NAME: version.functionName,
    AWS_LAMBDA_FUNCTION_VERSION: version.version,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(config.memorySize),
    AWS_LAMBDA_INITIALIZATION_TYPE: sources.initialization,
    // https://docs.aws.amazon.com/lambda/latest/dg/snapstart-monitoring.html
    ...(sources.initialization !== 'snap-start' && {
      AWS_LAMBDA_LOG_GROUP_NAME: sources.logGroup,
      AWS_LAMBDA_LOG_STREAM_NAME: sources.logStream,
    }),
    ...(loggingConfig.LogFormat === 'JSON' && {
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: loggingConfig.ApplicationLogLevel ?? 'INFO',
    }),
    ...(config.runtime?.startsWith('provided') === false && { AWS_EXECUTION_ENV: `AWS_Lambda_${config.runtime}` }),
    AWS_XRAY_CONTEXT_MISSING: 'LOG_ERROR',
    // An image's command names the handler.
    ...(config.packageType !== 'Image' && { _HANDLER: config.handler ?? '' }),
    LAMBDA_TASK_ROOT: taskRoot,
    ...(sources.extensionPort !== undefined && {
      PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: String(sources.extensionPort),
    }),
    LAMBDA_RUNTIME_DIR: runtimeDirectory,
  };
}

/** Returns the variables that images define themselves: search paths of programs and packages. */
function machineVariables(sources: VariableSources): Record<string, string> {
  const { taskRoot, layerRoot, runtimeDirectory } = sources;
  return {
    PATH: [...(sources.path ?? []), '/usr/local/bin', '/usr/bin', '/bin', `${layerRoot}/bin`].join(':'),
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    LD_LIBRARY_PATH: [
      '/lib64',
      '/usr/lib64',
      runtimeDirectory,
      `${runtimeDirectory}/lib`,
      taskRoot,
      `${taskRoot}/lib`,
      `${layerRoot}/lib`,
    ].join(':'),
    ...packageVariables(sources),
  };
}

/** Returns the package search path of the runtime's language: documented directories in layers. */
function packageVariables(sources: VariableSources): Record<string, string> {
  const { taskRoot, layerRoot, runtimeDirectory } = sources;
  const { runtime } = sources.version.config;
  const major = nodeMajor(runtime);
  if (major !== undefined) {
    const modules = [
      ...layerModules(layerRoot, major),
      `${runtimeDirectory}/node_modules`,
      ...(hasSdkV2(runtime) ? SDK_V2_MODULES.map((path) => `${runtimeDirectory}/${path}`) : []),
      runtimeDirectory,
      taskRoot,
    ];
    return { NODE_PATH: modules.join(':') };
  }
  const ruby = /^ruby(\d+\.\d+)$/.exec(runtime ?? '')?.[1];
  if (ruby !== undefined)
    return {
      GEM_PATH: [
        `${taskRoot}/vendor/bundle/ruby/${ruby}.0`,
        `${layerRoot}/ruby/gems/${ruby}.0`,
        ...GEM_LINKS.map((name) => `${runtimeDirectory}/${name}`),
      ].join(':'),
      RUBYLIB: `${taskRoot}:${runtimeDirectory}/lib:${layerRoot}/ruby/lib`,
    };
  const python = /^python(\d+\.\d+)$/.exec(runtime ?? '')?.[1];
  if (python === undefined) return {};
  const packages = [`${layerRoot}/python`, `${layerRoot}/python/lib/python${python}/site-packages`];
  return { PYTHONPATH: [runtimeDirectory, ...packages].join(':') };
}

/** Returns the major Node.js version of a runtime; undefined for other languages. */
export const nodeMajor = (runtime: string | undefined): string | undefined => /^nodejs(\d+)/.exec(runtime ?? '')?.[1];

/**
 * Whether a runtime includes the SDK v2.
 * @see https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide/migrating.html
 */
export const hasSdkV2 = (runtime: string | undefined): boolean => Number(nodeMajor(runtime)) <= 16;

/**
 * Returns the package directories in layers for Node.js, in search order.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/packaging-layers.html#packaging-layers-paths
 */
export const layerModules = (layerRoot: string, major: string | undefined): string[] => [
  ...(major === undefined ? [] : [`${layerRoot}/nodejs/node${major}/node_modules`]),
  `${layerRoot}/nodejs/node_modules`,
];
