import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Minutes after which a running file is reported, repeatedly. */
const LONG = 5;

/** Reports test files that run for minutes, so that an aborted run shows where it hung. */
export class LongFilesReporter implements Reporter {
  private readonly running = new Map<string, NodeJS.Timeout>();

  onTestModuleStart({ moduleId }: TestModule): void {
    let minutes = 0;
    const timer = setInterval(() => {
      minutes += LONG;
      console.log(`still running after ${minutes} minutes: ${relative(ROOT, moduleId)}`);
    }, LONG * 60_000);
    this.running.set(moduleId, timer.unref());
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    clearInterval(this.running.get(moduleId));
    this.running.delete(moduleId);
  }
}
