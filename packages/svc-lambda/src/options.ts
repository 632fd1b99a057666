import { choice, integer, optional, pairs, text, withDefault } from '@emu/core/options';

/** Values of the setting for sandboxes. */
const SANDBOX_MODES = ['auto', 'off', 'required'] as const;

/** When functions in processes run in sandboxes. */
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** Settings of Lambda, in addition to those of all services with containers. */
export const LAMBDA_OPTIONS = {
  EMULATOR_LAMBDA_MAX_CONCURRENCY: withDefault('10', {
    schema: integer(1),
    description: 'Maximum warm instances of one function; each serves one invocation at a time.',
    services: ['lambda'],
  }),
  EMULATOR_HOT_RELOAD_ROOT: optional('the working directory', {
    flag: 'hot-reload-root',
    schema: text('a directory'),
    description: 'Root directory for function code in directories: S3Bucket=hot-reload, or emu lambda watch.',
    placeholder: 'DIR',
    services: ['lambda'],
  }),
  EMULATOR_LAMBDA_LAYER_DIRECTORY: optional('none', {
    flag: 'layer-directory',
    schema: text('a directory'),
    description: "Directory with layers of other accounts, such as AWS's public ones: see emu layer add.",
    placeholder: 'DIR',
    services: ['lambda'],
  }),
  EMULATOR_RUNTIME_DIR: optional('emu/runtime in $XDG_DATA_HOME or ~/.local/share', {
    flag: 'runtime-dir',
    schema: text('a directory'),
    description: 'Directory of the SDKs that functions in processes find, filled by emu runtime install.',
    placeholder: 'DIR',
    services: ['lambda'],
  }),
  EMULATOR_LAMBDA_SANDBOX: withDefault<SandboxMode>('auto', {
    schema: choice(...SANDBOX_MODES),
    description:
      "Sandbox of functions in processes, with AWS's paths and without the machine's files: auto uses it where Linux allows it, required rejects invocations elsewhere.",
    placeholder: SANDBOX_MODES.join('|'),
    services: ['lambda'],
  }),
  EMULATOR_LAMBDA_RUNTIME_IMAGES: optional("AWS's images, public.ecr.aws/lambda/<name>:<tag>", {
    schema: pairs,
    description: 'Images to run functions in, by runtime: runtime=image,runtime=image.',
    services: ['lambda'],
  }),
};
