import type { Version } from '../records.ts';
import { containerLaunch, LAYER_ROOT, type LaunchSources, RUNTIME_DIRECTORY, TASK_ROOT } from './container-launch.ts';
import type { EnvironmentProcess } from './environment.ts';
import { extensionPrograms, processCommand } from './process-launch.ts';

/** What an environment is started with, but for its variables. */
export interface LaunchPlan {
  main: Omit<EnvironmentProcess, 'environment'>;
  /** External extensions by name; undefined for those that the main container starts itself. */
  extensions: Map<string, Omit<EnvironmentProcess, 'environment'> | undefined>;
  /** Where things are inside. */
  places: { taskRoot: string; layerRoot: string; runtimeDirectory: string; path?: readonly string[] };
  /** How what runs it differs from what the version asks for; undefined where it does not. */
  difference?: string | undefined;
}

/**
 * Runs a version with the interpreters of this machine.
 * @param bootstraps where the programs are that run handlers
 * @throws AwsError, MissingBootstrap as `processCommand`
 */
export async function processPlan(
  version: Version,
  taskRoot: string,
  layerRoot: string,
  bootstraps: string,
): Promise<LaunchPlan> {
  const { command, path, runtimeDirectory, difference } = await processCommand(
    version,
    taskRoot,
    layerRoot,
    bootstraps,
  );
  const programs = await extensionPrograms(layerRoot);
  return {
    main: { entrypoint: command, workingDirectory: taskRoot },
    extensions: new Map(programs.map(({ name, path }) => [name, { entrypoint: [path], workingDirectory: taskRoot }])),
    places: { taskRoot, layerRoot, runtimeDirectory, path },
    difference,
  };
}

/**
 * Runs a version in a container; its image is here then, so that fetching it takes nothing of the function's own time.
 * @throws AwsError, ContainerError, MissingBootstrap
 */
export async function containerPlan(sources: LaunchSources): Promise<LaunchPlan> {
  const { extensions, ...main } = await containerLaunch(sources);
  const { images } = sources.runtime;
  const { image, platform } = main;
  if (images && image !== undefined && (await images.find(image)) === undefined)
    await images.pull(image, platform === undefined ? {} : { platform });
  return {
    main,
    extensions: new Map(extensions.map((name) => [name, undefined])),
    places: { taskRoot: TASK_ROOT, layerRoot: LAYER_ROOT, runtimeDirectory: RUNTIME_DIRECTORY },
  };
}
