import { createHash } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ContainerMount, SandboxSpec } from '@emu/core/service';
import { LIMITS } from '../../limits.ts';
import type { Version } from '../../records.ts';
import { LAYER_ROOT, RUNTIME_DIRECTORY, TASK_ROOT } from '../container-launch.ts';
import { layerModules, nodeMajor } from '../environment-variables.ts';
import type { LaunchPlan } from '../launch-plan.ts';
import { SDK_V2_MODULES } from '../node-sdk.ts';
import type { ModuleSource } from './module-links.ts';
import { interpreterPaths, linkedPaths, projectPaths } from './visible-paths.ts';

/** Directory of a language on AWS. */
const LANGUAGE_ROOT = '/var/lang';

/** Inputs of a sandbox. */
export interface SandboxSources {
  version: Version;
  /** Plan for the machine's own file system. */
  plan: LaunchPlan;
  /** Directories on the machine with the unpacked package and layers. */
  taskRoot: string;
  layerRoot: string;
  /** Directory of the programs that run handlers. */
  bootstraps: string;
  /** Creates a directory with links, by name. @returns its path */
  makeLinks(sources: readonly ModuleSource[]): Promise<string>;
}

/** A sandbox, and the plan for its file system. */
export interface SandboxPlan {
  spec: SandboxSpec;
  plan: LaunchPlan;
}

/**
 * Plans the file system of an environment with AWS's paths. Code in a directory of this machine is at its own path, too,
 * and runs there: it finds packages in the directories above it, and debuggers find its files.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export async function sandboxPlan(sources: SandboxSources): Promise<SandboxPlan> {
  const { version, plan, taskRoot, layerRoot, bootstraps } = sources;
  const { config, code } = version;
  const isDirectory = code.directory !== undefined;
  const moved = [
    ...(isDirectory ? [] : [[taskRoot, TASK_ROOT] as const]),
    [layerRoot, LAYER_ROOT] as const,
    [bootstraps, RUNTIME_DIRECTORY] as const,
  ];
  const translate = (text: string): string => moved.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  const home = dirname(bootstraps);
  const { interpreter } = plan;
  const mounts: ContainerMount[] = [
    readOnly(taskRoot, TASK_ROOT),
    readOnly(layerRoot, LAYER_ROOT),
    readOnly(bootstraps, RUNTIME_DIRECTORY),
    { type: 'tmpfs', target: '/tmp', size: config.ephemeralStorage.Size * 1024 * 1024 },
  ];
  if (interpreter !== undefined) mounts.push(readOnly(await languageDirectory(home, interpreter), LANGUAGE_ROOT));
  const visible = interpreter === undefined ? [] : await interpreterPaths(interpreter);
  const linked = ['.', 'node_modules', ...SDK_V2_MODULES].map((path) => join(bootstraps, path));
  if (nodeMajor(config.runtime) !== undefined) {
    linked.push(join(home, 'node_modules'));
    mounts.push(...(await moduleMounts(sources, home)));
  } else if (config.runtime?.startsWith('python')) {
    const sdk = join(home, 'python-sdk');
    await mkdir(sdk, { recursive: true });
    linked.push(sdk);
    mounts.push(readOnly(sdk, `${dirname(RUNTIME_DIRECTORY)}/${basename(sdk)}`));
  }
  visible.push(...(await linkedPaths(linked)));
  if (isDirectory) visible.push(...(await projectPaths(taskRoot)));
  const inside = isDirectory ? taskRoot : TASK_ROOT;
  const moveProcess = <Process extends LaunchPlan['main']>(process: Process): Process => ({
    ...process,
    entrypoint: process.entrypoint?.map(translate),
    workingDirectory: inside,
  });
  return {
    spec: { mounts, visible, processes: LIMITS.processes },
    plan: {
      ...plan,
      main: moveProcess(plan.main),
      extensions: new Map([...plan.extensions].map(([name, process]) => [name, process && moveProcess(process)])),
      places: {
        taskRoot: inside,
        layerRoot: LAYER_ROOT,
        runtimeDirectory: RUNTIME_DIRECTORY,
        namesDirectory: RUNTIME_DIRECTORY,
        path: interpreter === undefined ? [] : [`${LANGUAGE_ROOT}/bin`],
      },
    },
  };
}

const readOnly = (source: string, target: string): ContainerMount => ({
  type: 'directory',
  source,
  target,
  readOnly: true,
});

/**
 * Returns the mounts with packages for ES modules, in the search order of NODE_PATH: layers, the runtime's, and those of
 * this machine.
 */
async function moduleMounts(
  { version, layerRoot, bootstraps, makeLinks }: SandboxSources,
  home: string,
): Promise<ContainerMount[]> {
  const { code, config } = version;
  const layers = config.layers.length === 0 ? [] : layerModules(layerRoot, nodeMajor(config.runtime));
  const runtime = join(bootstraps, 'node_modules');
  const machine = join(home, 'node_modules');
  await mkdir(runtime, { recursive: true });
  await mkdir(machine, { recursive: true });
  const sources = [
    ...layers.map((directory) => ({ directory, inside: directory.replace(layerRoot, LAYER_ROOT), isLayer: true })),
    { directory: runtime, inside: `${RUNTIME_DIRECTORY}/node_modules`, isLayer: false },
  ];
  if (code.directory !== undefined) {
    // Its own path has only the root in common with AWS's paths.
    const links = await makeLinks([...sources, { directory: machine, inside: '/var/node_modules', isLayer: false }]);
    return [readOnly(machine, '/var/node_modules'), readOnly(links, '/node_modules')];
  }
  return [
    readOnly(layers.length === 0 ? runtime : await makeLinks(sources), '/var/node_modules'),
    readOnly(machine, '/node_modules'),
  ];
}

/** Returns a directory with the interpreter under the names that it has on AWS. */
async function languageDirectory(home: string, interpreter: string): Promise<string> {
  const name = basename(interpreter).replace(/[\d.]+$/, '');
  const key = createHash('sha256').update(interpreter).digest('hex').slice(0, 16);
  const directory = join(home, 'languages', `${name}-${key}`);
  await mkdir(join(directory, 'bin'), { recursive: true });
  const version = basename(interpreter).slice(name.length);
  const names = ['', version.split('.')[0]!, version].map((suffix) => name + suffix);
  // Debian's name.
  if (name === 'nodejs') names.push('node');
  for (const one of new Set(names))
    await symlink(interpreter, join(directory, 'bin', one)).catch((error: NodeJS.ErrnoException) => {
      // Exists from an earlier start.
      if (error.code !== 'EEXIST') throw error;
    });
  return directory;
}
