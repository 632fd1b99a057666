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

\`emu.toml\` in the working directory, or the file that \`--config\` names, may have settings too, by the names of the flags without
dashes, or of the variables: \`addr = "127.0.0.1:5000"\`, \`verify-sigv4 = true\`, \`allow-origin = ["https://app.example.com"]\`. Flags and
variables win over it. \`emu init\` writes one with every setting in a comment.

| Flag | Variable | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}
