import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import durations from './durations.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORDED: Readonly<Record<string, number>> = durations;
/** Seconds that a file without a record counts for. */
const UNKNOWN = 1;

const seconds = ({ moduleId }: TestSpecification): number => RECORDED[relative(ROOT, moduleId)] ?? UNKNOWN;

/** Orders test files by the durations in `durations.json`, which `pnpm test --record` writes, and divides them into parts. */
export class DurationSequencer extends BaseSequencer {
  /** The longest first, so that no worker is left alone with one at the end. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => seconds(b) - seconds(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }

  /** The files of one part of `--shard`: each file, the longest first, goes to the part with the least to do. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!;
    const parts = Array.from({ length: count }, () => ({ seconds: 0, files: [] as TestSpecification[] }));
    for (const file of await this.sort(files)) {
      const least = parts.reduce((best, part) => (part.seconds < best.seconds ? part : best));
      least.seconds += seconds(file);
      least.files.push(file);
    }
    return parts[index - 1]!.files;
  }
}
