import { writeFileSync } from 'node:fs';
import { CONFIG_FILE } from './config-file.ts';
import { Failure } from './failure.ts';
import { describe, OPTION_ENTRIES } from './options.ts';

/** Columns of a line of comment. */
const WIDTH = 100;

/**
 * `emu init`: writes a file of settings with each setting in a comment.
 * @throws Failure where there is one already, or it cannot be written
 */
export function initConfig(): void {
  const settings = OPTION_ENTRIES.filter(([name, { flag }]) => flag !== undefined && name !== 'EMULATOR_CONFIG');
  const blocks = settings.map(([name, option]) => {
    const example = option.default ?? '';
    const value = option.boolean ? example || 'false' : option.repeatable ? '[]' : JSON.stringify(example);
    return [...comment(describe(option, name)), `# ${option.flag} = ${value}`].join('\n');
  });
  const head = '# Settings of emu, read by what runs in this directory. Flags and environment variables win over them.';
  try {
    writeFileSync(CONFIG_FILE, `${[head, ...blocks].join('\n\n')}\n`, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(code === 'EEXIST' ? `There already is ${CONFIG_FILE} here.` : `${CONFIG_FILE}: ${message}`);
  }
  process.stdout.write(`${CONFIG_FILE} is written; emu reads it when it starts in this directory\n`);
}

function comment(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (last < 0 || lines[last]!.length + 1 + word.length > WIDTH) lines.push(`# ${word}`);
    else lines[last] += ` ${word}`;
  }
  return lines;
}
