import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import durations from './durations.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RECORDED: Readonly<Record<string, number>> = durations;
/** Assumed duration in seconds of a file without a record. */
const UNKNOWN = 1;

const seconds = ({ moduleId }: TestSpecification): number => RECORDED[relative(ROOT, moduleId)] ?? UNKNOWN;

/**
 * Orders test files by the durations in `durations.json`, which `pnpm test --record` writes, and divides them into
 * shards.
 */
export class DurationSequencer extends BaseSequencer {
  /** The longest first, so that the last one does not delay the end. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => seconds(b) - seconds(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }

  /** Returns the files of one shard: each file, the longest first, is assigned to the shard with the least work. */
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
