import { accessSync, constants, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Directories of system programs, which all users have. */
export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
/** Programs of util-linux that set up, enter and leave namespaces. */
const NAMES = ['mount', 'nsenter', 'pivot_root', 'umount', 'unshare'] as const;

/** Paths of programs by name. */
export type Tools = Readonly<Record<(typeof NAMES)[number], string>>;

/** Finds the programs that sandboxes need. @returns them, or the name of a missing one */
export function findTools(): Tools | string {
  const tools: Partial<Record<(typeof NAMES)[number], string>> = {};
  for (const name of NAMES) {
    const path = SYSTEM_PATH.split(':')
      .map((directory) => join(directory, name))
      .find(isExecutable);
    if (path === undefined) return name;
    tools[name] = realpathSync(path);
  }
  return tools as Tools;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
