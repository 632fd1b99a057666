import { writeFileSync } from 'node:fs';
import { CONFIG_FILE } from './config-file.ts';
import { Failure } from './failure.ts';
import { describe, OPTION_ENTRIES } from './options.ts';
import { wrapped } from './wrapped.ts';

/** Width of a comment. */
const WIDTH = 98;

/**
 * `emu init`: writes a settings file with each setting in a comment.
 * @throws Failure if the file exists or cannot be written
 */
export function initConfig(): void {
  const settings = OPTION_ENTRIES.filter(([name, { flag }]) => flag !== undefined && name !== 'EMULATOR_CONFIG');
  const blocks = settings.map(([name, option]) => {
    const example = option.default ?? '';
    const value = option.boolean ? example || 'false' : option.repeatable ? '[]' : JSON.stringify(example);
    const lines = wrapped(describe(option, name), WIDTH);
    return [...lines, `${option.flag} = ${value}`].map((line) => `# ${line}`).join('\n');
  });
  const head = '# Settings of emu when started in this directory. Flags and environment variables override them.';
  try {
    writeFileSync(CONFIG_FILE, `${[head, ...blocks].join('\n\n')}\n`, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(code === 'EEXIST' ? `${CONFIG_FILE} already exists here.` : `${CONFIG_FILE}: ${message}`);
  }
  process.stdout.write(`${CONFIG_FILE} was written; emu reads it when started in this directory\n`);
}
