import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

/** Mount points of the machine, as this process sees them. */
export class MachineMounts {
  private readonly noexec = new Map<string, boolean>();

  /** @param text content of `/proc/self/mountinfo` */
  constructor(readonly text: string) {
    for (const line of text.split('\n')) {
      const [, , , , point, options] = line.split(' ');
      if (point === undefined || options === undefined) continue;
      const path = point.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
      this.noexec.set(path, options.split(',').includes('noexec'));
    }
  }

  /** Reads the current mount points. */
  static read(): MachineMounts {
    return new MachineMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  }

  /** Whether programs below a path cannot be executed. */
  isNoexec(path: string): boolean {
    let found = '';
    for (const point of this.noexec.keys()) if (point.length >= found.length && isInside(path, point)) found = point;
    return this.noexec.get(found) ?? false;
  }

  /** Returns the mount points below a path, outer ones first. */
  below(path: string): string[] {
    return [...this.noexec.keys()].filter((point) => point !== path && isInside(point, path)).sort();
  }
}

/** Whether a path is a directory or inside it. */
export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
