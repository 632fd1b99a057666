/** Shells supported by `emu env`. */
export const SHELLS = ['sh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Returns lines that set and unset variables in a shell. */
export function shellLines(shell: Shell, set: Record<string, string>, unset: readonly string[]): string[] {
  const quoted = (value: string): string =>
    shell === 'powershell'
      ? `'${value.replaceAll("'", "''")}'`
      : shell === 'fish'
        ? `'${value.replace(/[\\']/g, '\\$&')}'`
        : `'${value.replaceAll("'", "'\\''")}'`;
  const put = { sh: 'export ', fish: 'set -gx ', powershell: '$Env:' }[shell];
  const is = { sh: '=', fish: ' ', powershell: ' = ' }[shell];
  const drop = { sh: 'unset ', fish: 'set -e ', powershell: 'Remove-Item Env:' }[shell];
  return [
    ...unset.filter((name) => !Object.hasOwn(set, name)).map((name) => drop + name),
    ...Object.entries(set).map(([name, value]) => put + name + is + quoted(value)),
  ];
}
