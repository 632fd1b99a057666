import type { ContainerSpec } from '@emu/core/service';
import type { Launch } from './launch.ts';
import type { InstanceMark } from './mark.ts';
import { Sandbox } from './sandbox/sandbox.ts';

/** Returns the launch of a command of an instance. @throws ContainerError `command` */
export type Launcher = (
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  workingDirectory: string | undefined,
) => Promise<Launch>;

/**
 * Returns the launcher of an instance: into its sandbox, or on the machine itself.
 * @param directory of the instance on the machine
 */
export function launcherOf(spec: ContainerSpec, mark: InstanceMark, directory: string): Launcher {
  const { sandbox, limits } = spec;
  if (sandbox instanceof Sandbox)
    return (command, environment, workingDirectory = '/tmp') =>
      sandbox.launch(command, environment, workingDirectory, mark);
  return async (command, environment, workingDirectory = directory) => {
    // Temporary files are in a directory that is removed with the instance.
    const own = mark.environment({ TMPDIR: directory, ...environment });
    return { command: mark.command(command, own, limits?.processes), environment: own, directory: workingDirectory };
  };
}
