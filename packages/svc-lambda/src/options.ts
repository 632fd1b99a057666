import { integer, optional, pairs, text, withDefault } from '@emu/core/options';

/** Settings of Lambda, beside those that every service which runs containers has. */
export const LAMBDA_OPTIONS = {
  EMULATOR_LAMBDA_MAX_CONCURRENCY: withDefault('10', {
    schema: integer(1),
    description: 'Most warm instances of one function; each serves one invocation at a time.',
    services: ['lambda'],
  }),
  EMULATOR_HOT_RELOAD_ROOT: optional('the working directory', {
    flag: 'hot-reload-root',
    schema: text('a directory'),
    description: 'Directory below which functions may have their code: S3Bucket=hot-reload, or emu lambda watch.',
    placeholder: 'DIR',
    services: ['lambda'],
  }),
  EMULATOR_LAMBDA_RUNTIME_IMAGES: optional("AWS's images, public.ecr.aws/lambda/<name>:<tag>", {
    schema: pairs,
    description: 'Images that run functions of a runtime instead: runtime=image,runtime=image.',
    services: ['lambda'],
  }),
};
