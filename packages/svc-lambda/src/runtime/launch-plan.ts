import type { Version } from '../records.ts';
import {
  containerLaunch,
  LAYER_ROOT,
  type LaunchSources,
  NAMES_DIRECTORY,
  RUNTIME_DIRECTORY,
  TASK_ROOT,
} from './container-launch.ts';
import type { EnvironmentProcess } from './environment.ts';
import { extensionPrograms, processCommand } from './process-launch.ts';

/** Start options of an environment, except its variables. */
export interface LaunchPlan {
  main: Omit<EnvironmentProcess, 'environment'>;
  /** External extensions by name; undefined for those that the main container starts. */
  extensions: Map<string, Omit<EnvironmentProcess, 'environment'> | undefined>;
  /** Internal paths. */
  places: {
    taskRoot: string;
    layerRoot: string;
    runtimeDirectory: string;
    path?: readonly string[];
    /** Directory with the files for AWS's host names. */
    namesDirectory: string;
  };
  /** The interpreter of this machine that runs the function, if any. */
  interpreter?: string | undefined;
  /** Difference between the runtime and the version's configuration; undefined if none. */
  difference?: string | undefined;
}

/**
 * Plans a launch with local interpreters.
 * @param bootstraps directory of the programs that run handlers
 * @param installed directory that `emu runtime install` fills
 * @throws AwsError, MissingProgram as `processCommand`
 */
export async function processPlan(
  version: Version,
  taskRoot: string,
  layerRoot: string,
  bootstraps: string,
  installed: string,
): Promise<LaunchPlan> {
  const { command, interpreter, path, runtimeDirectory, difference } = await processCommand(
    version,
    taskRoot,
    layerRoot,
    bootstraps,
    installed,
  );
  const programs = await extensionPrograms(layerRoot);
  return {
    main: { entrypoint: command, workingDirectory: taskRoot },
    extensions: new Map(programs.map(({ name, path }) => [name, { entrypoint: [path], workingDirectory: taskRoot }])),
    places: { taskRoot, layerRoot, runtimeDirectory, path, namesDirectory: bootstraps },
    interpreter,
    difference,
  };
}

/**
 * Plans a launch in a container and pulls its image, so that pulling does not count towards the function's timeout.
 * @throws AwsError, ContainerError, MissingProgram
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
    places: {
      taskRoot: TASK_ROOT,
      layerRoot: LAYER_ROOT,
      runtimeDirectory: RUNTIME_DIRECTORY,
      namesDirectory: NAMES_DIRECTORY,
    },
  };
}
