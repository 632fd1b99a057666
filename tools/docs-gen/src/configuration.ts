import { nameOf, OPTION_ENTRIES } from '@emu/core';
import { SERVICE_NAMES } from '@emu/emulator';

const escaped = (text: string): string => text.replaceAll('|', '\\|');

/** The configuration page: every flag and variable with its default and meaning. */
export function configurationPage(): string {
  const rows = OPTION_ENTRIES.map(([variable, option]) => {
    const flag = option.flag === undefined ? '' : `\`${nameOf(variable)}\``;
    const missing = option.services && !option.services.some((service) => SERVICE_NAMES.includes(service));
    const note = missing ? ` Has no effect yet: needs ${option.services!.join(' or ')}.` : '';
    return `| ${flag} | \`${variable}\` | ${escaped(option.defaultText)} | ${escaped(option.description)}${note} |`;
  });
  return `# Configuration

Generated from the code by \`pnpm generate\`. A flag wins over its variable. A flag that may be repeated takes its values one
by one, its variable takes them between commas. A value that cannot be stops the start with a sentence that says why.

| Flag | Variable | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}
