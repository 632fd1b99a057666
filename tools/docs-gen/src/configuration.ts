import { effectNote, nameOf, optionEntries } from '@emu/core';
import { DECLARED_OPTIONS, SERVICE_NAMES } from '@emu/emulator';

const escaped = (text: string): string => text.replaceAll('|', '\\|');

/** The configuration page: every flag and variable with its default and meaning. */
export function configurationPage(): string {
  const rows = optionEntries(DECLARED_OPTIONS).map((entry) => {
    const [variable, option] = entry;
    const flag = option.flag === undefined ? '' : `\`${nameOf(entry)}\``;
    return `| ${flag} | \`${variable}\` | ${escaped(option.defaultText)} | ${escaped(option.description)}${effectNote(option, SERVICE_NAMES)} |`;
  });
  return `# Configuration

Generated from the code by \`pnpm generate\`. A flag wins over its variable. A flag that may be repeated takes its values one
by one, its variable takes them between commas. A value that cannot be stops the start with a sentence that says why.

| Flag | Variable | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}
